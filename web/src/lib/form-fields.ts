import {
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form'
import { z } from 'zod/mini'

const FieldError = z.object({ message: z.string() })

/** @returns the props of a field of the form: what registers it, and the text of its error */
export function formFields<Values extends FieldValues, Context, Output>({
  register,
  formState: { errors },
}: Pick<UseFormReturn<Values, Context, Output>, 'register' | 'formState'>) {
  return <Name extends FieldPath<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
    ...register(name, options),
    error: FieldError.safeParse(get(errors, name)).data?.message,
  })
}
