import { isLongEnough, isTooLong, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { z } from 'zod'
import { passwordTooLong } from './auth-messages.ts'

/** Schema of the form for a new password. */
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
    // Also validated when the first field is invalid, so that both errors are shown together.
    when: () => true,
  })
