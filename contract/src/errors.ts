import { z } from 'zod'

/**
 * Every error code of the API and its HTTP status. The set is closed: an unlisted code does not compile on the
 * server, and a code without an Italian text does not compile in the web.
 */
export const errorStatus = {
  'request.invalid': 400,
  'request.too_large': 413,
  'request.too_many': 429,
  'session.missing': 401,
  'session.unknown_user': 401,
  'session.second_factor_needed': 403,
  'session.enrolment_needed': 403,
  'session.reauthentication_needed': 403,
  'pharmacy.not_found': 404,
  'pharmacies.not_found': 404,
  'pharmacies.email_taken': 409,
  'pharmacies.code_taken': 409,
  'pharmacies.weak_password': 422,
  'pharmacies.changed_meanwhile': 409,
  'pharmacies.being_purged': 409,
  'pharmacies.wrong_code': 422,
  'pharmacy_imports.not_found': 404,
  'pharmacy_imports.too_large': 413,
  'pharmacy_imports.unreadable': 422,
  'pharmacy_imports.missing_columns': 422,
  'pharmacy_imports.too_many_rows': 422,
  'pharmacy_imports.empty': 422,
  'pharmacy_imports.started': 409,
  'pharmacy_imports.other_running': 409,
  'plans.not_found': 404,
  'plans.name_taken': 409,
  'plans.in_use': 409,
  'categories.not_found': 404,
  'categories.name_taken': 409,
  'categories.in_use': 409,
  'settings.changed_meanwhile': 409,
  'services.too_many': 429,
  'support.no_visit': 403,
  'support.read_only': 403,
  'support.administrator': 409,
  'pharmacy.inactive': 403,
  'pharmacy.not_named': 400,
  'access.denied': 403,
  'access.owners_only': 403,
  'account.session_not_found': 404,
  'colleagues.not_found': 404,
  'colleagues.too_many': 409,
  'colleagues.address_taken': 409,
  'colleagues.not_invited': 409,
  'colleagues.name_is_own': 409,
  'colleagues.too_many_mails': 429,
  'route.not_found': 404,
  'orders.not_found': 404,
  'orders.source_refused': 409,
  'orders.conflict': 409,
  'orders.changed_meanwhile': 409,
  'orders.too_many_notes': 409,
  'orders.note_not_found': 404,
  'orders.key_reused': 422,
  'orders.being_made': 409,
  'orders.number_taken': 409,
  'orders.not_on_airtable': 409,
  'orders.too_many': 429,
  'views.not_found': 404,
  'views.name_taken': 409,
  'views.too_many': 409,
  'reply_texts.not_found': 404,
  'reply_texts.too_many': 409,
  'exports.not_found': 404,
  'exports.taken': 409,
  'exports.too_many': 429,
  'api_keys.not_found': 404,
  'api_keys.too_many': 409,
  'images.too_large': 413,
  'images.not_a_picture': 415,
  'images.too_wide': 422,
  'images.unreadable': 422,
  'images.quota_reached': 409,
  'images.too_many': 429,
  'images.host_failed': 502,
  'images.not_reached': 422,
  'images.not_found': 404,
  'images.in_use': 409,
  'product_images.not_found': 404,
  'product_images.not_configured': 409,
  'product_images.failed': 502,
  'assistant.not_configured': 409,
  'assistant.failed': 502,
  'assistant.timeout': 504,
  'assistant.unreachable': 502,
  'assistant.unreadable': 502,
  'assistant.too_many': 429,
  'offers.not_found': 404,
  'offers.changed_meanwhile': 409,
  'offers.price_above_list': 422,
  'offers.prior_above_list': 422,
  'offers.ends_too_early': 422,
  'offers.unknown_category': 422,
  'offers.wrong_code': 422,
  'offers.code_missing': 422,
  'offers.prescription': 422,
  'offers.not_authorised': 422,
  'offers.image_missing': 422,
  'offers.limit_reached': 409,
  'offers.too_many': 409,
  'visits.too_many': 429,
  'notifications.not_subscribed': 404,
  'notifications.undeliverable': 502,
  'notifications.too_many': 429,
  'service.unavailable': 503,
  internal: 500,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus

/** The codes that only administrators get. The web shows the server's texts of them. */
export type AdminErrorCode = Extract<
  ErrorCode,
  `${'pharmacies' | 'pharmacy_imports' | 'plans' | 'categories' | 'settings' | 'services' | 'support'}.${string}`
>

// Object.keys returns string[].
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

/**
 * The body of every error response of `/api`. `error` is a short text for people, `code` is for programs,
 * `requestId` identifies the request in the server's log.
 */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  /** Values that the text names, for example `{ limit: 10, used: 10 }`. */
  details: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
