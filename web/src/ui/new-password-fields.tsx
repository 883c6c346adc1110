import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { z } from 'zod/mini'
import { formFields } from '../lib/form-fields.ts'
import type { NewPassword } from '../lib/new-password.ts'
import { PasswordField } from './password-field.tsx'
import { PasswordStrength } from './password-strength.tsx'

type NewPasswordFieldsProps = {
  /** Of the account. */
  email: string
  /** What the visibility button of the first field shows and hides. */
  what?: string
  repeatLabel: string
}

/** A new password with its strength, and the same once more. */
export function NewPasswordFields({ email, what, repeatLabel }: NewPasswordFieldsProps) {
  const id = `robustezza-${useId()}`
  const form = useFormContext<z.infer<typeof NewPassword>>()
  const field = formFields(form)
  const { isSubmitted } = form.formState
  const password = useWatch({ control: form.control, name: 'password' })
  return (
    <>
      <div className="flex flex-col gap-3">
        <PasswordField
          label="Nuova password"
          {...(what && { what })}
          autoComplete="new-password"
          aria-describedby={id}
          {...field('password', {
            onChange: () => {
              if (isSubmitted) void form.trigger('repeat')
            },
          })}
        />
        <PasswordStrength id={id} password={password} email={email} />
      </div>
      <PasswordField
        label={repeatLabel}
        what="la password ripetuta"
        autoComplete="new-password"
        {...field('repeat')}
      />
    </>
  )
}
