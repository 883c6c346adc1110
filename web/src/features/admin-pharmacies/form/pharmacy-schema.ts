import {
  type AdminPharmacy,
  NewPharmacyFields,
  PharmacyChange,
} from '@bancone/contract/admin-pharmacies'
import type { ErrorCode } from '@bancone/contract/errors'
import { isLongEnough, isTooLong, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { z } from 'zod/mini'
import { passwordTooLong } from '../../../lib/auth-messages.ts'
import { PharmacyDraft, toNewPharmacy, toPharmacyChange } from './pharmacy-draft.ts'

export type PharmacyField = keyof PharmacyDraft

/** The field that an error code is about. */
export const errorFields: Partial<Record<ErrorCode, PharmacyField>> = {
  'pharmacies.email_taken': 'email',
  'pharmacies.code_taken': 'pharmacy_id',
  'pharmacies.weak_password': 'password',
  'pharmacies.bad_phone': 'phone',
  'plans.not_found': 'subscription_plan_id',
}

const texts: Partial<Record<PharmacyField, string>> = {
  pharmacy_id: 'Usa lettere, cifre e trattini, per esempio PHARM-0001.',
  name: 'Il nome della farmacia è obbligatorio',
  logo_url: 'Scrivi un indirizzo che comincia con https://.',
  subscription_plan_id: 'Seleziona un piano di abbonamento - questo campo è obbligatorio',
  plan_valid_until: 'La data non è valida.',
}

function issueText(field: PharmacyField, issue: z.core.$ZodIssue, draft: PharmacyDraft) {
  if (field === 'max_offers') {
    if (issue.code === 'too_small') return 'Il numero massimo di offerte non può essere negativo'
    return issue.code === 'too_big' ? 'Al massimo 100.000 offerte.' : 'Scrivi un numero intero.'
  }
  if (issue.code === 'too_big') return `Al massimo ${issue.maximum} caratteri.`
  if (field === 'email') {
    return draft.email.trim() === ''
      ? "L'email è obbligatoria"
      : "Controlla l'indirizzo email: non è completo."
  }
  return texts[field] ?? 'Il valore non è valido.'
}

function passwordText({ access, password }: PharmacyDraft, isNew: boolean): string | undefined {
  if (isNew && access === 'link') return undefined
  if (password === '') {
    return isNew ? 'La password è obbligatoria per la creazione di una nuova farmacia' : undefined
  }
  if (!isLongEnough(password))
    return `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`
  return isTooLong(password) ? passwordTooLong : undefined
}

/** Fewer digits are never a telephone number. Whether it can be called only the server knows. */
function hasFewDigits(phone: string): boolean {
  return phone.trim() !== '' && phone.replace(/\D/g, '').length < 6
}

/**
 * Validates the form by the schema of its request. A telephone number that is saved already is not refused.
 *
 * @param pharmacy null for a new one
 */
export function pharmacySchema(pharmacy: AdminPharmacy | null) {
  const isNew = pharmacy === null
  return PharmacyDraft.check(
    z.superRefine((draft, { addIssue }) => {
      const report = (field: PharmacyField, message: string) =>
        addIssue({ code: 'custom', path: [field], message })
      const { error } = isNew
        ? NewPharmacyFields.safeParse(toNewPharmacy(draft))
        : PharmacyChange.safeParse(toPharmacyChange(draft))
      for (const issue of error?.issues ?? []) {
        const field = z.keyof(PharmacyDraft).safeParse(issue.path[0])
        if (field.success && field.data !== 'password')
          report(field.data, issueText(field.data, issue, draft))
      }
      if (draft.phone.trim() !== (pharmacy?.phone ?? '') && hasFewDigits(draft.phone))
        report(
          'phone',
          'Nessuno può chiamare questo numero: scrivilo intero, per esempio 041 520 1234.',
        )
      const password = passwordText(draft, isNew)
      if (password !== undefined) report('password', password)
    }),
  )
}
