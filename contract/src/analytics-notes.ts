import { z } from 'zod/mini'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'

const guard = { access: 'pharmacy', feature: 'analytics' } as const

/** A mark on the line of a day. `id` is that of a note that the pharmacy wrote; null of the others. */
export const AnalyticsNote = z.object({
  id: z.nullable(z.uuid()),
  day: Day,
  kind: z.enum(['own', 'published', 'price', 'holiday']),
  text: z.string(),
})
export type AnalyticsNote = z.infer<typeof AnalyticsNote>

export const MAX_NOTE_LENGTH = 80
export const MAX_NOTES = 500

const NoteInput = z.strictObject({
  /** Also one to come. */
  day: Day,
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NOTE_LENGTH)),
})

const NoteId = z.object({ analyticsNoteId: z.uuid() })

export const addAnalyticsNote = endpoint({
  method: 'POST',
  path: '/api/analytics/notes',
  summary: 'Add a note to a day',
  audit: 'analytics_note_added',
  ...guard,
  body: NoteInput,
  response: AnalyticsNote,
  status: 201,
  errors: ['analytics.too_many_notes'],
})

export const changeAnalyticsNote = endpoint({
  method: 'PUT',
  path: '/api/analytics/notes/:analyticsNoteId',
  summary: 'Change a note',
  audit: 'analytics_note_changed',
  ...guard,
  params: NoteId,
  body: NoteInput,
  response: AnalyticsNote,
  errors: ['analytics.note_not_found'],
})

export const removeAnalyticsNote = endpoint({
  method: 'DELETE',
  path: '/api/analytics/notes/:analyticsNoteId',
  summary: 'Remove a note',
  audit: 'analytics_note_removed',
  ...guard,
  params: NoteId,
  response: z.object({}),
  errors: ['analytics.note_not_found'],
})
