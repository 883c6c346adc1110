import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { capturesKeys, guardAgainstScanners, runAlone } from './keys.ts'
import { createStoredValue } from './stored-value.ts'

const stored = createStoredValue('bancone-keyboard-shortcuts')

/** Whether single-key shortcuts are on. On by default; stored in this browser. */
export function shortcutsOn(): boolean {
  return stored.get() !== 'off'
}

export function setShortcuts(on: boolean) {
  stored.set(on ? 'on' : 'off')
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore(stored.subscribe, shortcutsOn)
}

/**
 * The shortcuts of a page: keys without Ctrl, Alt or Meta, where nothing that needs them itself has the focus.
 *
 * @param actionOf the action of a key; null for a key of another use
 */
export function useShortcuts(actionOf: (event: KeyboardEvent) => (() => void) | null) {
  // The page may have changed since the key: a key waits until it is sure that no scanner has sent it.
  const run = useEffectEvent((event: KeyboardEvent) => actionOf(event)?.())
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target } = event
    if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return
    if (!shortcutsOn() || capturesKeys(target)) return
    if (actionOf(event)) runAlone(event, () => run(event))
  })

  useEffect(() => {
    guardAgainstScanners()
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
