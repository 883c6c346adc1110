import { isLongEnough, isTooLong, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { z } from 'zod/mini'
import { passwordTooLong } from './auth-messages.ts'

/** Schema of the form for a new password. */
export const NewPassword = z
  .object({
    password: z.string().check(
      z.minLength(1, 'Scegli una password.'),
      z.refine(isLongEnough, `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`),
      z.refine((password) => !isTooLong(password), passwordTooLong),
    ),
    repeat: z.string().check(z.minLength(1, 'Ripeti la password.')),
  })
  .check(
    z.refine(({ password, repeat }) => repeat === '' || repeat === password, {
      path: ['repeat'],
      message: 'Le due password non sono uguali.',
      // Also validated when the first field is invalid, so that both errors are shown together.
      when: () => true,
    }),
  )
