import { describe, expect, it } from 'vitest'
import { checkPassword } from './passwords.ts'

const email = 'Farmacia.Centrale@example.it'

describe('a password', () => {
  it.each([
    ['ten characters', 'vento-mare'],
    ['a sentence', 'tre gatti sul tetto di via Roma'],
    ['letters of one kind', 'ventomarelunasole'],
    ['ten that are not letters', '😀😁😂🤣😃😄😅😆😉😊'],
    ['72 bytes', 'abcdefgh'.repeat(9)],
    ['72 bytes in fewer characters', 'àèìò'.repeat(9)],
    ['the address and more', `${email} 7`],
    ['four characters again and again', 'abcdabcdabcd'],
    ['a common one and more', 'password123 sul tetto'],
  ])('may be %s', async (_what, password) => {
    await expect(checkPassword(password, email)).resolves.toBeUndefined()
  })

  it.each([
    ['empty', '', 'length'],
    ['of nine characters', 'vento-mar', 'length'],
    ['of nine that take more bytes', '😀😁😂🤣😃😄😅😆😉', 'length'],
    ['one of the most used, but too short', '123456', 'length'],
    ['one character', 'aaaaaaaaaaaa', 'characters'],
    ['three characters', 'abcabcabcabc', 'characters'],
    ['two characters in two cases', 'aAbBaAbBaAbB', 'characters'],
    ['the address', email, 'characters'],
    ['the address in another case', email.toLowerCase(), 'characters'],
    ['one of the most used', 'password123', 'pwned'],
    ['one of the most used in another case', 'Password123', 'pwned'],
    ['a row of keys', '1q2w3e4r5t', 'pwned'],
  ])('is weak when it is %s', async (_what, password, reason) => {
    await expect(checkPassword(password, email)).rejects.toMatchObject({
      code: 'weak_password',
      status: 422,
      weakPassword: [reason],
    })
  })

  it.each([
    ['73 bytes', `${'abcdefgh'.repeat(9)}i`],
    ['73 bytes in fewer characters', `${'àèìò'.repeat(9)}x`],
    ['a thousand of one character', 'a'.repeat(1000)],
  ])('is refused rather than cut when it has %s', async (_what, password) => {
    await expect(checkPassword(password, email)).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'Password cannot be longer than 72 bytes',
    })
  })

  it('needs no address', async () => {
    await expect(checkPassword('tre gatti sul tetto', null)).resolves.toBeUndefined()
    await expect(checkPassword('password123', null)).rejects.toMatchObject({
      weakPassword: ['pwned'],
    })
  })

  it('is not repeated by its refusal', async () => {
    for (const password of ['vento-mar', 'abcabcabcabc', 'password123', 'x'.repeat(80)]) {
      await expect(checkPassword(password, email)).rejects.not.toThrow(password)
    }
  })
})
