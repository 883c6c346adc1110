import { z } from 'zod'
import { tabStorage } from './browser-storage.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'

const keys: Record<Area, string> = { pharmacy: 'bancone-drafts', admin: 'bancone-admin-drafts' }

const StoredDrafts = z.object({ userId: z.string(), texts: z.record(z.string(), z.string()) })

function owner(area: Area): string | null {
  return sessions[area].current()?.userId ?? null
}

function draftsOf(area: Area, userId: string | null): Record<string, string> {
  try {
    const stored = StoredDrafts.parse(JSON.parse(tabStorage.getItem(keys[area]) ?? ''))
    return stored.userId === userId ? stored.texts : {}
  } catch {
    return {}
  }
}

/** The unsaved text stored under `name` in this tab; empty when there is none. */
export function readDraft(name: string, area: Area = 'pharmacy'): string {
  return draftsOf(area, owner(area))[name] ?? ''
}

/** Stores unsaved text so that a reload does not lose it. An empty text removes the draft. */
export function saveDraft(name: string, text: string, area: Area = 'pharmacy') {
  const userId = owner(area)
  if (userId === null) return
  const others = Object.entries(draftsOf(area, userId)).filter(([other]) => other !== name)
  const texts = Object.fromEntries(text === '' ? others : [...others, [name, text]])
  tabStorage.setItem(keys[area], JSON.stringify({ userId, texts }))
}

/** Called when the session ends: the next user must not see them. */
export function clearDrafts(area: Area) {
  tabStorage.removeItem(keys[area])
}
