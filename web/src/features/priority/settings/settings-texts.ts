import { PRIORITY_MESSAGE_LENGTH } from '@bancone/contract/priority'

const messages: Record<string, string> = {
  linkDays: 'Scegli un numero di giorni da 1 a 30.',
  lateMinutes: 'Scegli un numero di minuti da 1 a 120.',
}

type Issue = { path?: PropertyKey[] | undefined; code?: string | undefined }

/** The text of an error of `PrioritySettings`. */
export function settingsMessage({ path = [], code }: Issue): string {
  const field = String(path[0])
  if (field !== 'message') return messages[field] ?? 'Controlla questo campo.'
  return code === 'too_big'
    ? `Al massimo ${PRIORITY_MESSAGE_LENGTH} caratteri.`
    : 'Il testo deve contenere {link}: al suo posto il cliente riceve il link.'
}
