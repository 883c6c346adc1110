import { listApiKeys } from '@bancone/contract/api-keys'
import { COLLEAGUE_NAME_LENGTH } from '@bancone/contract/colleagues'
import { paths } from '@bancone/contract/pages'
import {
  listSupportSessions,
  type ReceivedSupportSession,
} from '@bancone/contract/support-sessions'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formFields } from '../../lib/form-fields.ts'
import { formatDateTime, formatTime } from '../../lib/format.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { sessions, useSession } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ActivitySection } from './activity-section.tsx'
import { DevicesSection } from './devices-section.tsx'
import { EmailPart } from './email-part.tsx'
import { LinkedSection } from './linked-section.tsx'
import { callAsUser, useInvalidateAccount, useOwnAccount } from './own-account.ts'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'

/** The user's own account and its security. Each section loads and fails independently. */
export function AccountPage({ area }: { area: Area }) {
  const session = useSession(sessions[area])
  const password = useRef<HTMLHeadingElement>(null)
  const email = session.status === 'signed-in' ? session.email : ''
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Sicurezza</PageTitle>
      <PersonSection area={area} />
      <PasswordSection area={area} email={email} heading={password} />
      <SecondFactorSection area={area} />
      <LinkedSection area={area} />
      <DevicesSection area={area} />
      {area === 'pharmacy' ? <OwnersSections /> : null}
      <ActivitySection
        area={area}
        onChangePassword={() => {
          password.current?.focus()
          password.current?.scrollIntoView({ block: 'start' })
        }}
      />
    </div>
  )
}

function howMany(count: number): string {
  if (count === 0) return 'Nessuna chiave attiva.'
  return count === 1 ? 'Una chiave attiva.' : `${count} chiavi attive.`
}

function ApiKeysSection() {
  const keys = useEndpoint(listApiKeys, {})
  return (
    <CardSection
      title="Chiavi API"
      intro="Con queste il sito o il gestionale della farmacia inviano ordini senza che nessuno acceda."
    >
      <QueryStates
        query={keys}
        otherwise="Non è stato possibile leggere le chiavi. Riprova."
        skeleton={<LinesSkeleton what="delle chiavi" lines={['w-32']} />}
      >
        {({ keys: all }) => (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p>{howMany(all.length)}</p>
            <Link to={paths.apiKeys} className={buttonStyle({})}>
              Gestisci le chiavi
            </Link>
          </div>
        )}
      </QueryStates>
    </CardSection>
  )
}

function SupportSessionItem({ supportSession }: { supportSession: ReceivedSupportSession }) {
  const { administrator, reason, startedAt, endedAt } = supportSession
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <p className="wrap-anywhere">{reason}</p>
      <p className="text-sm wrap-anywhere text-muted">
        Assistenza Bancone
        {administrator === null ? null : ` (${administrator})`} · {formatDateTime(startedAt)}
        {endedAt === null ? ' · in corso' : `–${formatTime(endedAt)}`}
      </p>
    </li>
  )
}

function SupportSessionsSection() {
  const query = useEndpoint(listSupportSessions, {})
  return (
    <CardSection
      title="Visite dell'assistenza"
      intro="Quando serve aiuto, l'assistenza può guardare le tue pagine per mezz'ora: senza cambiare nulla, e con i dati dei clienti nascosti."
    >
      <QueryStates
        query={query}
        skeleton={<LinesSkeleton what="delle visite" lines={['w-64', 'w-48']} />}
      >
        {({ supportSessions }) =>
          supportSessions.length === 0 ? (
            <p>Nessuna visita finora.</p>
          ) : (
            <ul className="flex max-h-96 flex-col divide-y divide-line overflow-y-auto">
              {supportSessions.map((supportSession) => (
                <SupportSessionItem key={supportSession.id} supportSession={supportSession} />
              ))}
            </ul>
          )
        }
      </QueryStates>
    </CardSection>
  )
}

/** The API keys of the pharmacy, and who of the support has looked at its pages. */
function OwnersSections() {
  const { data } = useOwnPharmacy()
  if (data?.role !== 'owner') return null
  return (
    <>
      <ApiKeysSection />
      <SupportSessionsSection />
    </>
  )
}

const Person = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.maxLength(COLLEAGUE_NAME_LENGTH, `Al massimo ${COLLEAGUE_NAME_LENGTH} caratteri.`),
    ),
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
  const { isDirty } = form.formState

  const submit = form.handleSubmit((person) =>
    saving.run(async () => {
      const data = { full_name: person.name }
      await callAsUser(area, (auth) => auth.updateUser({ data }))
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
          {...formFields(form)('name')}
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
function PersonSection({ area }: { area: Area }) {
  const account = useOwnAccount(area)
  const Form = area === 'pharmacy' ? PharmacyNameForm : AdministratorNameForm
  return (
    <CardSection title="Il tuo account">
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
    </CardSection>
  )
}
