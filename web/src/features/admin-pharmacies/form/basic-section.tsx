import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { formFields } from '../../../lib/form-fields.ts'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PasswordStrength } from '../../../ui/password-strength.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormSection } from './form-section.tsx'
import type { PharmacyDraft } from './pharmacy-draft.ts'

/** The name of the pharmacy, how it signs in, and where it is. */
export function BasicSection({ isNew }: { isNew: boolean }) {
  const field = formFields(useFormContext<PharmacyDraft>())
  return (
    <FormSection title="Informazioni di base">
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Nome" autoComplete="off" required {...field('name')} />
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
          {...field('pharmacy_id')}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          spellCheck={false}
          required={isNew}
          readOnly={!isNew}
          hint={isNew ? 'Con questa la farmacia accede.' : "L'email non può essere modificata."}
          {...field('email')}
        />
        <TextField label="Telefono" type="tel" autoComplete="off" {...field('phone')} />
      </div>
      <PasswordFields isNew={isNew} />
      <TextField label="Indirizzo" autoComplete="off" {...field('address')} />
      <TextField
        label="URL del logo"
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...field('logo_url')}
      />
    </FormSection>
  )
}

const accessOptions: readonly { value: PharmacyDraft['access']; label: string; note: string }[] = [
  {
    value: 'link',
    label: 'Invia un link via email',
    note: 'La farmacia riceve un link, valido una volta sola, con cui sceglie la sua password.',
  },
  {
    value: 'password',
    label: 'Imposta una password',
    note: 'La comunichi tu alla farmacia, che poi può cambiarla.',
  },
]

/** The password of the pharmacy's own account: by a link or typed here; on an edit a new one, if wanted. */
function PasswordFields({ isNew }: { isNew: boolean }) {
  const id = useId()
  const form = useFormContext<PharmacyDraft>()
  const { control } = form
  const [access, password, email] = useWatch({ control, name: ['access', 'password', 'email'] })
  const typed = !isNew || access === 'password'
  return (
    <div className="flex flex-col gap-4">
      {isNew ? (
        <RadioCards legend="Accesso" options={accessOptions} {...form.register('access')} />
      ) : null}
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
          {...formFields(form)('password')}
        />
      ) : null}
      {typed && (isNew || password !== '') ? (
        <PasswordStrength id={id} password={password} email={email} />
      ) : null}
    </div>
  )
}
