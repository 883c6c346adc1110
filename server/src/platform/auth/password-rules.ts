import {
  isLongEnough,
  isTooLong,
  MAX_PASSWORD_BYTES,
  MIN_PASSWORD_LENGTH,
} from '@bancone/contract/passwords'
import { AuthError } from './auth-error.ts'

/** The most common passwords of sufficient length; loaded at the first use. */
let common: Promise<ReadonlySet<string>> | undefined

async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(isLongEnough))
}

/**
 * Refuses passwords that are too short, too long to be hashed completely, too common, or equal to the address.
 * There are no rules about character classes: they lead to worse passwords (NIST SP 800-63B, 3.1.1.2).
 *
 * @throws AuthError `weak_password` with its reasons, `validation_failed`
 */
export async function checkPassword(password: string, email: string | null): Promise<void> {
  if (isTooLong(password)) {
    throw new AuthError('validation_failed', {
      message: `Password cannot be longer than ${MAX_PASSWORD_BYTES} bytes`,
    })
  }
  if (!isLongEnough(password)) {
    throw new AuthError('weak_password', {
      message: `Password should be at least ${MIN_PASSWORD_LENGTH} characters.`,
      weakPassword: ['length'],
    })
  }
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4 || plain === email?.toLowerCase()) {
    throw new AuthError('weak_password', {
      message: 'Password should contain more different characters, and not be the address.',
      weakPassword: ['characters'],
    })
  }
  common ??= commonPasswords()
  if ((await common).has(plain)) {
    throw new AuthError('weak_password', {
      message: 'Password is known to be weak and easy to guess, please choose a different one.',
      weakPassword: ['pwned'],
    })
  }
}
