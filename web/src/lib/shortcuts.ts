import { useSyncExternalStore } from 'react'
import { browserStorage } from './browser-storage.ts'

const KEY = 'bancone-keyboard-shortcuts'

const followers = new Set<() => void>()

/** Whether single-key shortcuts are on. On by default; stored in this browser. */
export function shortcutsOn(): boolean {
  return browserStorage.getItem(KEY) !== 'off'
}

export function setShortcuts(on: boolean) {
  browserStorage.setItem(KEY, on ? 'on' : 'off')
  for (const follower of followers) follower()
}

function follow(follower: () => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore(follow, shortcutsOn)
}
