import { COLLEAGUE_NAME_LENGTH } from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useInvalidateAccount } from './account-queries.ts'
import { AccountSection, LinesSkeleton } from './account-section.tsx'
import { EmailPart } from './email-part.tsx'
import { callAsUser, useOwnAccount } from './own-account.ts'

const Person = z.object({
  name: z
    .string()
    .trim()
    .max(COLLEAGUE_NAME_LENGTH, `Al massimo ${COLLEAGUE_NAME_LENGTH} caratteri.`),
})

const hints: Record<Area, string> = {
  pharmacy: 'È quello che si legge nello storico degli ordini, accanto a ciò che fai.',
  admin: 'È quello che si legge accanto a ciò che fai.',
}

type NameFormProps = {
  area: Area
  name: string
  /** The name that others have given the user; shown until the user sets their own. */
  called: string | null
}

function NameForm({ area, name, called }: NameFormProps) {
  const news = useInvalidateAccount(area)
  const saving = useAction('Non è stato possibile salvare il nome. Riprova.')
  const form = useForm({
    resolver: zodResolver(Person),
    values: { name: name || (called ?? '') },
    // Keeps unsaved input when the query is refetched.
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, isDirty } = form.formState

  const submit = form.handleSubmit((person) =>
    saving.run(async () => {
      const data = { full_name: person.name }
      await callAsUser(area, (auth) => auth.updateUser({ data }))
      saving.clearFailure()
      // Without an own name the given one applies, and is shown.
      form.reset({ name: person.name || (called ?? '') }, { keepDirtyValues: false })
      news()
      toastSuccess('Nome salvato')
    }),
  )

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={saving.failure} />
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <TextField
          label="Nome e cognome"
          className="min-w-0 flex-1 basis-60"
          autoComplete="name"
          hint={hints[area]}
          error={errors.name?.message}
          {...form.register('name')}
        />
        {/* Beside the field, below its label. */}
        <Button
          type="submit"
          className="h-12 sm:mt-6.25 md:h-12"
          inactive={saving.busy || !isDirty}
        >
          {saving.busy ? 'Salvataggio in corso…' : 'Salva il nome'}
        </Button>
      </div>
    </form>
  )
}

function PharmacyNameForm({ area, name }: Omit<NameFormProps, 'called'>) {
  const { data } = useOwnPharmacy()
  return <NameForm area={area} name={name} called={data?.personName ?? null} />
}

function AdministratorNameForm({ area, name }: Omit<NameFormProps, 'called'>) {
  return <NameForm area={area} name={name} called={null} />
}

/** The user's name and email address. */
export function PersonSection({ area }: { area: Area }) {
  const account = useOwnAccount(area)
  const Form = area === 'pharmacy' ? PharmacyNameForm : AdministratorNameForm
  return (
    <AccountSection title="Il tuo account">
      <QueryStates
        query={account}
        otherwise="Non è stato possibile leggere il tuo account. Riprova."
        skeleton={<LinesSkeleton what="del tuo account" lines={['w-32', 'w-full', 'w-56']} />}
      >
        {({ name, email, nextEmail }) => (
          <>
            <Form area={area} name={name} />
            <EmailPart area={area} email={email} next={nextEmail} />
          </>
        )}
      </QueryStates>
    </AccountSection>
  )
}
