import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { INVITATION_DAYS } from '@bancone/contract/colleagues'
import { z } from 'zod'

/** The purposes of links and codes that are sent by mail. */
export const TokenKind = z.enum([
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
  'reauthentication',
])
export type TokenKind = z.infer<typeof TokenKind>

const HOUR = 3600

/** Lifetimes in seconds. */
export const lifetimes: Record<TokenKind, number> = {
  signup: 24 * HOUR,
  invite: INVITATION_DAYS * 24 * HOUR,
  magiclink: HOUR,
  recovery: HOUR,
  email_change_current: HOUR,
  email_change_new: HOUR,
  reauthentication: HOUR / 4,
}

/** The verification types of the protocol, and the kinds that each accepts. */
export const kindsOfType = {
  signup: ['signup'],
  invite: ['invite'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  email: ['magiclink', 'signup'],
} as const satisfies Record<string, readonly TokenKind[]>

export type VerifyType = keyof typeof kindsOfType

/** The verification type in a link of this kind. */
export function typeOfKind(kind: TokenKind): VerifyType {
  if (kind === 'email_change_current' || kind === 'email_change_new') return 'email_change'
  return kind === 'reauthentication' ? 'email' : kind
}

/** The prefix of tokens that were requested with a PKCE challenge. */
export const PKCE_PREFIX = 'pkce_'

/** 32 random bytes, base64url. */
export function newLinkToken(pkce: boolean): string {
  return (pkce ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url')
}

/** A plain hash suffices for 256 random bits. */
export function linkHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Six digits, for a person to type. */
export function newCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/**
 * A plain hash of six digits is guessed at once, so the hash is keyed (HMAC). The link's hash is part of it, so
 * that equal codes have different hashes.
 */
export function codeHash(key: Buffer, link: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(link).update(code).digest()
}

export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
