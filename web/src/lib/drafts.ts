import { z } from 'zod'
import { tabStorage } from './browser-storage.ts'
import { pharmacySession } from './session.ts'

const KEY = 'bancone-drafts'

const Kept = z.object({ userId: z.string(), texts: z.record(z.string(), z.string()) })

function owner(): string | null {
  return pharmacySession.current()?.userId ?? null
}

function draftsOf(userId: string | null): Record<string, string> {
  try {
    const kept = Kept.parse(JSON.parse(tabStorage.getItem(KEY) ?? ''))
    return kept.userId === userId ? kept.texts : {}
  } catch {
    return {}
  }
}

/** What was being written under that name in this tab, and not saved; empty if nothing was. */
export function readDraft(name: string): string {
  return draftsOf(owner())[name] ?? ''
}

/** Keeps what is being written, so that a reload does not lose it. An empty text is not kept. */
export function keepDraft(name: string, text: string) {
  const userId = owner()
  if (userId === null) return
  const others = Object.entries(draftsOf(userId)).filter(([other]) => other !== name)
  const texts = Object.fromEntries(text === '' ? others : [...others, [name, text]])
  tabStorage.setItem(KEY, JSON.stringify({ userId, texts }))
}

/** They are for nobody who comes later. */
export function forgetDrafts() {
  tabStorage.removeItem(KEY)
}
