import { isLongEnough, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PasswordStrength } from '../../../ui/password-strength.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormSection } from './form-section.tsx'
import type { PharmacyDraft } from './pharmacy-draft.ts'

/** The name of the pharmacy, how it signs in, and where it is. */
export function BasicSection({ isNew }: { isNew: boolean }) {
  const { register, formState } = useFormContext<PharmacyDraft>()
  const { errors } = formState
  return (
    <FormSection title="Informazioni di base">
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Nome"
          autoComplete="off"
          required
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          label="Codice farmacia"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          readOnly={!isNew}
          hint={
            isNew
              ? 'Lascialo vuoto: viene assegnato il prossimo, come PHARM-0001.'
              : 'Non si può cambiare: è nei link e nei QR code già stampati.'
          }
          error={errors.pharmacy_id?.message}
          {...register('pharmacy_id')}
        />
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required={isNew}
          readOnly={!isNew}
          hint={isNew ? 'Con questa la farmacia accede.' : "L'email non può essere modificata."}
          error={errors.email?.message}
          {...register('email')}
        />
        <TextField
          label="Telefono"
          type="tel"
          autoComplete="off"
          error={errors.phone?.message}
          {...register('phone')}
        />
      </div>
      <PasswordFields isNew={isNew} />
      <TextField
        label="Indirizzo"
        autoComplete="off"
        error={errors.address?.message}
        {...register('address')}
      />
      <TextField
        label="URL del logo"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.logo_url?.message}
        {...register('logo_url')}
      />
    </FormSection>
  )
}

const choices: readonly { value: PharmacyDraft['access']; label: string; means: string }[] = [
  {
    value: 'link',
    label: 'Invia un link via email',
    means: 'La farmacia riceve un link, valido una volta sola, con cui sceglie la sua password.',
  },
  {
    value: 'password',
    label: 'Imposta una password',
    means: 'La comunichi tu alla farmacia, che poi può cambiarla.',
  },
]

function AccessChoice() {
  const id = useId()
  const { register } = useFormContext<PharmacyDraft>()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Accesso</legend>
      {choices.map(({ value, label, means }) => (
        <label
          key={value}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-line-strong px-3 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)"
        >
          <input
            type="radio"
            value={value}
            aria-label={label}
            aria-describedby={`${id}-${value}`}
            className="mt-1 size-4 shrink-0 accent-accent outline-none"
            {...register('access')}
          />
          <span>
            <span className="block font-medium">{label}</span>
            <span id={`${id}-${value}`} className="block text-sm text-pretty text-muted">
              {means}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The password of the pharmacy's own account: by a link or typed here; on an edit a new one, if wanted. */
function PasswordFields({ isNew }: { isNew: boolean }) {
  const id = useId()
  const { control, register, formState } = useFormContext<PharmacyDraft>()
  const [access, password, email] = useWatch({ control, name: ['access', 'password', 'email'] })
  const typed = !isNew || access === 'password'
  return (
    <div className="flex flex-col gap-4">
      {isNew ? <AccessChoice /> : null}
      {typed ? (
        <PasswordField
          label={isNew ? 'Password' : 'Nuova password'}
          autoComplete="new-password"
          required={isNew}
          hint={
            isNew
              ? undefined
              : 'Lasciala vuota per non cambiarla. Se la cambi, la farmacia esce da tutti i dispositivi.'
          }
          aria-describedby={id}
          error={formState.errors.password?.message}
          {...register('password')}
        />
      ) : null}
      {typed && (isNew || password !== '') ? (
        <PasswordStrength
          id={id}
          password={password}
          email={email}
          rule={{
            text: `Almeno ${MIN_PASSWORD_LENGTH} caratteri`,
            met: isLongEnough(password),
          }}
        />
      ) : null}
    </div>
  )
}
