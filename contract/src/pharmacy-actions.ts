import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The pharmacy's own account, as administrators see it. Times are ISO 8601. */
export const PharmacyAccount = z.object({
  email: z.string(),
  /** Whether the address was confirmed, by the invitation or by a password that an administrator chose. */
  hasJoined: z.boolean(),
  /** The number of verified second factors. */
  secondFactors: z.int(),
  lastSignInAt: z.nullable(z.string()),
  /** Whether its orders are read from Airtable. */
  isOnAirtable: z.boolean(),
})
export type PharmacyAccount = z.infer<typeof PharmacyAccount>

const params = z.object({ pharmacyId: z.uuid() })

export const getPharmacyAccount = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacies/:pharmacyId/account',
  summary: "Get the state of a pharmacy's own account",
  access: 'admin',
  params,
  response: PharmacyAccount,
  errors: ['pharmacies.not_found'],
})

/** The account then signs in with its password alone. A mail informs its owner. */
export const resetSecondFactors = endpoint({
  method: 'DELETE',
  path: '/api/admin/pharmacies/:pharmacyId/account/factors',
  summary: "Remove the second factors and recovery codes of a pharmacy's own account",
  access: 'admin',
  audit: 'factor_removed_by_administrator',
  params,
  response: PharmacyAccount,
  errors: ['pharmacies.not_found', 'session.reauthentication_needed'],
})

/** Sends the invitation again, or to an account that has joined a link to choose a new password. */
export const sendPharmacyLink = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/account/links',
  summary: "Send a one-time link to the address of a pharmacy's own account",
  access: 'admin',
  audit: 'user_invited',
  params,
  response: z.object({ sent: z.enum(['invitation', 'recovery']) }),
  errors: ['pharmacies.not_found'],
})

/**
 * Ends the sessions of the account, and makes earlier links invalid. A mail informs the old address. An account that has
 * not joined yet is invited again at the new address.
 */
export const changePharmacyEmail = endpoint({
  method: 'PUT',
  path: '/api/admin/pharmacies/:pharmacyId/account/email',
  summary: "Change the address of a pharmacy's own account",
  access: 'admin',
  audit: 'user_changed',
  params,
  body: z.strictObject({ email: z.email().check(z.trim(), z.maxLength(254)) }),
  response: PharmacyAccount,
  errors: [
    'pharmacies.not_found',
    'pharmacies.email_taken',
    'access.denied',
    'session.reauthentication_needed',
  ],
})

/** In the background, within seconds while the pharmacy is active: all records, and then what is gone. */
export const readOrdersAgain = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/order-readings',
  summary: "Read all of a pharmacy's orders again from Airtable",
  access: 'admin',
  audit: 'orders_read_again',
  params,
  response: z.object({}),
  errors: ['pharmacies.not_found', 'orders.not_on_airtable'],
})
