import { useFormContext } from 'react-hook-form'
import { TextField } from '../../../ui/text-field.tsx'
import { FormSection } from './form-section.tsx'
import { PasswordFields } from './password-fields.tsx'
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
