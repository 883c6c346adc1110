import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { INVITATION_DAYS } from '@bancone/contract/colleagues'
import { z } from 'zod'

/** What a link or a code sent by mail is for. */
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

/** Seconds each stays valid. */
export const lifetimes: Record<TokenKind, number> = {
  signup: 24 * HOUR,
  invite: INVITATION_DAYS * 24 * HOUR,
  magiclink: HOUR,
  recovery: HOUR,
  email_change_current: HOUR,
  email_change_new: HOUR,
  reauthentication: HOUR / 4,
}

/** The types a client names when it verifies, and the kinds each stands for. */
export const kindsOfType = {
  signup: ['signup'],
  invite: ['invite'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  email: ['magiclink', 'signup'],
} as const satisfies Record<string, readonly TokenKind[]>

export type VerifyType = keyof typeof kindsOfType

/** The type that a link of this kind names. */
export function typeOfKind(kind: TokenKind): VerifyType {
  if (kind === 'email_change_current' || kind === 'email_change_new') return 'email_change'
  return kind === 'reauthentication' ? 'email' : kind
}

/** Marks the links of clients that will prove who asked (PKCE). */
export const PKCE_PREFIX = 'pkce_'

/** 32 random bytes: what a link carries. */
export function newLinkToken(pkce: boolean): string {
  return (pkce ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url')
}

/** Nothing to guess in 256 bits: a plain hash keeps it from whoever reads the database. */
export function linkHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Six digits, as a person copies them from a mail. */
export function newCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/**
 * Six digits are guessed in no time from a plain hash: this one needs the server's key. It is of this
 * link alone, so that equal codes do not look alike.
 */
export function codeHash(key: Buffer, link: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(link).update(code).digest()
}

export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
