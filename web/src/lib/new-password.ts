import { isLongEnough, isTooLong, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { z } from 'zod'
import { passwordTooLong } from './auth-messages.ts'

/** What the form for a new password asks for. */
export const NewPassword = z
  .object({
    password: z
      .string()
      .min(1, 'Scegli una password.')
      .refine(isLongEnough, `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`)
      .refine((password) => !isTooLong(password), passwordTooLong),
    repeat: z.string().min(1, 'Ripeti la password.'),
  })
  .refine(({ password, repeat }) => repeat === '' || repeat === password, {
    path: ['repeat'],
    message: 'Le due password non sono uguali.',
    // Said together with what is wrong with the first.
    when: () => true,
  })
