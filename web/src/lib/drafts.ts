import { z } from 'zod'
import { tabStorage } from './browser-storage.ts'
import { pharmacySession } from './session.ts'

const KEY = 'bancone-drafts'

const StoredDrafts = z.object({ userId: z.string(), texts: z.record(z.string(), z.string()) })

function owner(): string | null {
  return pharmacySession.current()?.userId ?? null
}

function draftsOf(userId: string | null): Record<string, string> {
  try {
    const stored = StoredDrafts.parse(JSON.parse(tabStorage.getItem(KEY) ?? ''))
    return stored.userId === userId ? stored.texts : {}
  } catch {
    return {}
  }
}

/** The unsaved text stored under `name` in this tab; empty when there is none. */
export function readDraft(name: string): string {
  return draftsOf(owner())[name] ?? ''
}

/** Stores unsaved text so that a reload does not lose it. An empty text removes the draft. */
export function saveDraft(name: string, text: string) {
  const userId = owner()
  if (userId === null) return
  const others = Object.entries(draftsOf(userId)).filter(([other]) => other !== name)
  const texts = Object.fromEntries(text === '' ? others : [...others, [name, text]])
  tabStorage.setItem(KEY, JSON.stringify({ userId, texts }))
}

/** Called when the session ends: the next user must not see them. */
export function clearDrafts() {
  tabStorage.removeItem(KEY)
}
