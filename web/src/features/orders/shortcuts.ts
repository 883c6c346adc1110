import { useSyncExternalStore } from 'react'
import { browserStorage } from '../../lib/browser-storage.ts'

const KEY = 'bancone-keyboard-shortcuts'

const followers = new Set<() => void>()

/** Whether single keys do something. On until somebody says otherwise; this browser remembers. */
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
