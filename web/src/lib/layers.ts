import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod/mini'
import { entryIndex, ownBack } from './use-overlay-entry.ts'

/** Closes each open layer; the top one is the last. */
const layers: (() => void)[] = []

/** What is added to the state of a history entry: how many layers have one up to it. */
const State = z.catch(z.looseObject({ layers: z._default(z.number(), 0) }), { layers: 0 })

/** The present history entry. */
function present() {
  const state = State.parse(window.history.state)
  return { state, index: entryIndex(), depth: state.layers }
}

let last = present()

// The entry that Back leaves can no longer be read, and of what the router puts into it the browser tells nobody.
for (const change of ['pushState', 'replaceState'] as const) {
  const original = window.history[change].bind(window.history)
  window.history[change] = (...entry) => {
    original(...entry)
    last = present()
  }
}

/**
 * Makes sure that each open layer has a history entry. The entry of a layer that was closed by other means than Back
 * stays and is used again: going back at that moment could undo a navigation that follows at once.
 */
function takeEntries() {
  while (last.depth < layers.length) {
    const { state, index, depth } = last
    window.history.pushState({ ...state, idx: index + 1, layers: depth + 1 }, '')
  }
}

function onBack() {
  const left = last
  last = present()
  const isOwn = ownBack.isRunning
  ownBack.isRunning = false
  if (!isOwn && left.depth > layers.length && last.index === left.index - 1) {
    // The entry of a layer that is closed already: Back is meant for what is beneath.
    window.history.go(layers.length - 1 - last.depth)
    return
  }
  for (const close of layers.slice(last.depth).reverse()) close()
  // What asks before it closes is still open.
  setTimeout(takeEntries)
}

/** @returns ends the layer, after it was closed */
export function openLayer(close: () => void): () => void {
  // The same listener is added once.
  window.addEventListener('popstate', onBack)
  ownBack.isRunning = false
  layers.push(close)
  takeEntries()
  return () => void layers.splice(layers.lastIndexOf(close), 1)
}

/** Gives a dialog a history entry on top of the page, so that Back closes what is on top and nothing else. */
export function useLayer(onClose: () => void, isLayer: boolean) {
  const close = useEffectEvent(onClose)
  useEffect(() => (isLayer ? openLayer(() => close()) : undefined), [isLayer])
}
