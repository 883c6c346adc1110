import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const MAX_PRIVACY_TEXT = 60_000

/** The privacy policy as published: Markdown without HTML. */
export const PrivacyText = z.object({
  /** Consecutive from 1. */
  version: z.int(),
  text: z.string(),
  /** ISO 8601. */
  publishedAt: z.string(),
})
export type PrivacyText = z.infer<typeof PrivacyText>

/** What the page of the privacy policy is made of. */
export type PrivacyPage = PrivacyText & {
  /** The page of the pharmacy that it was opened from; null without one. */
  back: { path: string; name: string } | null
}

export const getPrivacyText = endpoint({
  method: 'GET',
  path: '/api/privacy-text',
  summary: 'Get the privacy policy in force',
  access: 'public',
  cacheSeconds: 60,
  response: PrivacyText,
  errors: [],
})

/** A version with the email of the administrator who published it; null for the first one. */
export const PublishedPrivacyText = z.extend(PrivacyText, { publishedBy: z.nullable(z.string()) })
export type PublishedPrivacyText = z.infer<typeof PublishedPrivacyText>

export const listPrivacyTexts = endpoint({
  method: 'GET',
  path: '/api/admin/privacy-texts',
  summary: 'List all versions of the privacy policy, the newest first',
  access: 'admin',
  response: z.object({ texts: z.array(PublishedPrivacyText) }),
  errors: [],
})

/** Versions are neither changed nor deleted. Refused when the newest version is not `basedOn`. */
export const publishPrivacyText = endpoint({
  method: 'POST',
  path: '/api/admin/privacy-texts',
  summary: 'Publish a new version of the privacy policy',
  access: 'admin',
  audit: 'privacy_text_published',
  body: z.strictObject({
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PRIVACY_TEXT)),
    basedOn: z.int(),
  }),
  // Characters have three bytes at most, and a line break two when it is escaped.
  maxBodyBytes: 256 * 1024,
  response: z.object({ text: PublishedPrivacyText }),
  status: 201,
  errors: ['settings.changed_meanwhile'],
})
