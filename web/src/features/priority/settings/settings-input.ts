import { PRIORITY_MESSAGE_LENGTH, PrioritySettings } from '@bancone/contract/priority'
import { z } from 'zod'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'

const DRAFT = 'priority-settings'
const { linkDays, lateMinutes, issueOnStatus, message } = PrioritySettings.shape

function whole(unit: 'giorni' | 'minuti') {
  return z
    .string()
    .trim()
    .min(1, `Scrivi un numero di ${unit}.`)
    .regex(/^\d+$/, `Scrivi un numero intero di ${unit}, senza virgola e senza lettere.`)
    .transform(Number)
}

/** The form as typed, and the settings that it gives. */
export const SettingsInput = z.object({
  linkDays: whole('giorni').pipe(linkDays),
  lateMinutes: whole('minuti').pipe(lateMinutes),
  /** Empty for none. */
  issueOnStatus: z
    .string()
    .transform((status) => status || null)
    .pipe(issueOnStatus),
  message,
})
export type SettingsInput = z.input<typeof SettingsInput>

export function inputOf(settings: PrioritySettings): SettingsInput {
  return {
    linkDays: String(settings.linkDays),
    lateMinutes: String(settings.lateMinutes),
    issueOnStatus: settings.issueOnStatus ?? '',
    message: settings.message,
  }
}

const Draft = z.object({
  linkDays: z.string(),
  lateMinutes: z.string(),
  issueOnStatus: z.string(),
  message: z.string(),
})

/** What was typed in this tab and not saved; null for nothing. */
export function readSettingsDraft(): SettingsInput | null {
  try {
    return Draft.parse(JSON.parse(readDraft(DRAFT)))
  } catch {
    return null
  }
}

/** @param input null for nothing */
export function saveSettingsDraft(input: SettingsInput | null) {
  saveDraft(DRAFT, input === null ? '' : JSON.stringify(input))
}

const ranges: Record<string, string> = {
  linkDays: 'Scegli un numero di giorni da 1 a 30.',
  lateMinutes: 'Scegli un numero di minuti da 1 a 120.',
}

type Issue = { path?: PropertyKey[] | undefined; code?: string | undefined }

/** The text of an error that the schema of the contract finds. */
export function settingsMessage({ path = [], code }: Issue): string {
  const field = String(path[0])
  if (field !== 'message') return ranges[field] ?? 'Controlla questo campo.'
  return code === 'too_big'
    ? `Al massimo ${PRIORITY_MESSAGE_LENGTH} caratteri.`
    : 'Il testo deve contenere {link}: al suo posto il cliente riceve il link.'
}
