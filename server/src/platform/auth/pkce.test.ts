import { describe, expect, it } from 'vitest'
import { codeChallengeOf, matchesCodeChallenge } from './pkce.ts'

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('the challenge that a request brings', () => {
  it.each([
    ['as the standard writes it', challenge, 'S256'],
    ['as the clients write it', challenge, 's256'],
    ['of every character it may have', `${'a'.repeat(39)}-._~`, 's256'],
    ['as long as it may be', 'a'.repeat(128), 's256'],
  ])('is taken %s', (_what, code_challenge, code_challenge_method) => {
    expect(codeChallengeOf({ code_challenge, code_challenge_method })).toBe(code_challenge)
  })

  it.each([
    ['no body', undefined],
    ['null', null],
    ['an empty body', {}],
    ['other things', { email: 'a@example.it' }],
    ['nulls', { code_challenge: null, code_challenge_method: null }],
    ['empty text', { code_challenge: '', code_challenge_method: '' }],
  ])('is none with %s', (_what, body) => {
    expect(codeChallengeOf(body)).toBeNull()
  })

  it.each([
    ['no method', { code_challenge: challenge }],
    ['an empty method', { code_challenge: challenge, code_challenge_method: '' }],
    ['the plain method', { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['an unknown method', { code_challenge: challenge, code_challenge_method: 's512' }],
    ['a method alone', { code_challenge_method: 's256' }],
    ['one too short', { code_challenge: 'a'.repeat(42), code_challenge_method: 's256' }],
    ['one too long', { code_challenge: 'a'.repeat(129), code_challenge_method: 's256' }],
    ['a character too many', { code_challenge: `${challenge}=`, code_challenge_method: 's256' }],
    ['a line after it', { code_challenge: `${challenge}\n`, code_challenge_method: 's256' }],
    ['one that is no text', { code_challenge: [challenge], code_challenge_method: 's256' }],
    ['a method that is no text', { code_challenge: challenge, code_challenge_method: 1 }],
  ])('is refused with %s', (_what, body) => {
    expect(() => codeChallengeOf(body)).toThrow(
      expect.objectContaining({ code: 'validation_failed', status: 400 }),
    )
  })
})

describe('the answer to a challenge', () => {
  it('is the text it was made from', () => {
    expect(matchesCodeChallenge(challenge, verifier)).toBe(true)
  })

  it.each([
    ['the challenge itself', challenge, challenge],
    ['another text', challenge, `${verifier}x`],
    ['nothing', challenge, ''],
    ['the text of another challenge', challenge.toLowerCase(), verifier],
    ['that of a challenge cut short', challenge.slice(0, -1), verifier],
    ['that of an empty challenge', '', verifier],
  ])('is not %s', (_what, asked, answer) => {
    expect(matchesCodeChallenge(asked, answer)).toBe(false)
  })
})
