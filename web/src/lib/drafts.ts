import { z } from 'zod/mini'
import { tabStorage } from './browser-storage.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'

const keys: Record<Area, string> = { pharmacy: 'bancone-drafts', admin: 'bancone-admin-drafts' }

const StoredDrafts = z.object({ userId: z.string(), texts: z.record(z.string(), z.string()) })

/** Names of drafts without customers' data. */
const LASTING = /^(offer|product|colleague|priority-settings|pharmacy-)/

function owner(area: Area): string | null {
  return sessions[area].current()?.userId ?? null
}

function storedDrafts(area: Area) {
  try {
    return StoredDrafts.parse(JSON.parse(tabStorage.getItem(keys[area]) ?? ''))
  } catch {
    return null
  }
}

function draftsOf(area: Area, userId: string | null): Record<string, string> {
  const stored = storedDrafts(area)
  return stored?.userId === userId ? stored.texts : {}
}

/** The unsaved text stored under `name` in this tab; empty when there is none. */
export function readDraft(name: string, area: Area = 'pharmacy'): string {
  return draftsOf(area, owner(area))[name] ?? ''
}

/** The unsaved values of a form; null when there are none that can be read. */
export function readFormDraft<T>(
  name: string,
  schema: z.ZodMiniType<T>,
  area: Area = 'pharmacy',
): T | null {
  try {
    return schema.parse(JSON.parse(readDraft(name, area)))
  } catch {
    return null
  }
}

/** Stores unsaved text so that a reload does not lose it. An empty text removes the draft. */
export function saveDraft(name: string, text: string, area: Area = 'pharmacy') {
  const userId = owner(area)
  if (userId === null) return
  const others = Object.entries(draftsOf(area, userId)).filter(([other]) => other !== name)
  const texts = Object.fromEntries(text === '' ? others : [...others, [name, text]])
  tabStorage.setItem(keys[area], JSON.stringify({ userId, texts }))
}

/**
 * Called when the session ends: the next user must not see them. When it was not ended by the user here, the same user
 * finds those without customers' data again.
 */
export function clearDrafts(area: Area) {
  const state = sessions[area].state()
  const stored = storedDrafts(area)
  tabStorage.removeItem(keys[area])
  if (!stored || state.status !== 'signed-out') return
  if (state.reason !== 'ended' && state.reason !== 'absent') return
  const texts = Object.fromEntries(
    Object.entries(stored.texts).filter(([name]) => LASTING.test(name)),
  )
  tabStorage.setItem(keys[area], JSON.stringify({ ...stored, texts }))
}
