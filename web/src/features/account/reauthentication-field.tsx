import type { ComponentProps } from 'react'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { PasswordField } from '../../ui/password-field.tsx'

type ReauthenticationFieldProps = Omit<ComponentProps<typeof PasswordField>, 'label' | 'hint'> & {
  area: Area
}

/** The field of a form that asks the signed-in user for the password. */
export function ReauthenticationField({ area, ...field }: ReauthenticationFieldProps) {
  return (
    <>
      {/* Tells password managers the account. */}
      <input
        hidden
        type="text"
        name="username"
        autoComplete="username"
        value={sessions[area].current()?.email ?? ''}
        readOnly
      />
      <PasswordField
        label="La tua password"
        hint="Non la ricordi? In «Password» puoi cambiarla con un codice ricevuto per email."
        {...field}
      />
    </>
  )
}
