import { type AirtableTokenLoad, getAirtableLoad } from '@bancone/contract/airtable'
import { getSettings, PlanDefaults, type PlatformSettings } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlert } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formFields } from '../../lib/form-fields.ts'
import { formatDecimal, formatNumber } from '../../lib/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { BackupsSection } from './backups/backups-section.tsx'
import { NoticeForm } from './notice-form.tsx'
import {
  fieldMessage,
  numberOrNull,
  PlatformSettingForm,
  useSettingSave,
} from './platform-setting-form.tsx'
import { PrivacySection } from './privacy-section.tsx'
import { OrderRetentionForm, RetentionForm } from './retention-forms.tsx'
import { ServicesSection } from './services-section.tsx'
import { SupportContactForm } from './support-contact-form.tsx'

/** What administrators set for the whole platform, and the state of outside services. */
export function SettingsPage() {
  const query = useEndpoint(getSettings, {})
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Impostazioni</PageTitle>
      <ServicesSection />
      <AirtableLoadSection />
      <BackupsSection />
      <QueryStates
        query={query}
        skeleton={
          <LinesSkeleton
            shape="pill"
            line=""
            lines={['h-72', 'h-64', 'h-52', 'h-56', 'h-44']}
            className="gap-4 md:gap-5"
          />
        }
      >
        {({
          notice,
          support,
          retention,
          order_retention: orderRetention,
          plan_defaults: planDefaults,
        }) => (
          <>
            <NoticeForm loaded={notice} />
            <SupportContactForm loaded={support} />
            <RetentionForm loaded={retention} />
            <OrderRetentionForm loaded={orderRetention} />
            <PlanDefaultsForm loaded={planDefaults} />
          </>
        )}
      </QueryStates>
      <PrivacySection />
    </div>
  )
}

/** The share of the limit from which the load is shown as high. */
const HIGH = 0.8

/** How many pharmacies the tokens of each user of Airtable carry, and how many more they can. */
function AirtableLoadSection() {
  const query = useEndpoint(getAirtableLoad, {})
  return (
    <CardSection
      title="Carico di Airtable"
      intro="Richieste al minuto calcolate dagli intervalli di lettura, non misurate. Il massimo è con gli ordini di tutte le farmacie aperti su uno schermo. Airtable limita le richieste di ogni utente: i suoi token si dividono un solo limite."
    >
      <QueryStates query={query} skeleton={<LinesSkeleton line="" lines={['h-9 w-48', 'h-16']} />}>
        {({ tokens, withoutToken, perPharmacy, perBase }) => (
          <>
            {withoutToken === 0 ? null : (
              <Alert tone="notice">
                {withoutToken === 1
                  ? 'Una farmacia ha una base senza token: i suoi ordini non si possono leggere.'
                  : `${formatNumber(withoutToken)} farmacie hanno una base senza token: i loro ordini non si possono leggere.`}
              </Alert>
            )}
            {tokens.length === 0 ? (
              <p className="text-muted">Nessuna farmacia riceve gli ordini da Airtable.</p>
            ) : (
              <ul className="flex flex-col divide-y divide-line">
                {tokens.map((token) => (
                  <TokenLine key={token.names.join('\n') + token.origin} token={token} />
                ))}
              </ul>
            )}
            <p className="text-sm text-pretty text-muted">
              Una farmacia aperta, sola nella sua base, costa {formatDecimal(perPharmacy.polled)}{' '}
              richieste al minuto con il controllo periodico, {formatDecimal(perPharmacy.reported)}{' '}
              con gli avvisi di Airtable. Con gli avvisi ogni modifica fa rileggere tutte le
              farmacie della base: una base ne regge {formatNumber(perBase.polled)} con il controllo
              periodico, {formatNumber(perBase.reported)} con gli avvisi.
            </p>
          </>
        )}
      </QueryStates>
    </CardSection>
  )
}

function TokenLine({ token }: { token: AirtableTokenLoad }) {
  const { names, bases, pharmacies, reported, requestsNow, requestsAtPeak, limit } = token
  const share = requestsAtPeak / limit
  const others = pharmacies - names.length
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div>
        <h3 className="font-medium">{titleOf(token)}</h3>
        <p className="text-sm text-pretty wrap-anywhere text-muted">
          {names.join(', ')}
          {others > 0 ? ` e ${others === 1 ? 'un’altra' : `altre ${formatNumber(others)}`}` : null}
        </p>
      </div>
      <Meter share={share} />
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
        <Figure
          term="Farmacie"
          value={formatNumber(pharmacies)}
          hint={`${bases === 1 ? 'in una base' : `in ${formatNumber(bases)} basi`}, ${formatNumber(reported)} con avvisi`}
        />
        <Figure
          term="Richieste al minuto"
          value={formatNumber(requestsNow)}
          hint={`al massimo ${formatNumber(requestsAtPeak)} di ${formatNumber(limit)}`}
        />
        <Figure
          term="Altre farmacie"
          value={`+${formatNumber(token.more.polled)}`}
          hint={`con il controllo periodico, +${formatNumber(token.more.reported)} con gli avvisi`}
        />
      </dl>
      {share > HIGH ? (
        <p className="flex items-start gap-2 text-sm text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {share > 1
            ? 'Nelle ore di punta il limite di questo utente non basta: gli ordini arrivano in ritardo.'
            : 'Questo utente è vicino al limite.'}
        </p>
      ) : null}
    </li>
  )
}

function titleOf({ origin, tokens }: AirtableTokenLoad): string {
  if (tokens === 1) return origin === 'server' ? 'Token del server' : 'Token di una base'
  const count = `${formatNumber(tokens)} token dello stesso utente`
  return origin === 'server' ? `${count}, con quello del server` : count
}

function Meter({ share }: { share: number }) {
  const percent = Math.min(100, Math.round(share * 100))
  return (
    <div
      role="img"
      aria-label={`${formatNumber(Math.round(share * 100))} % del limite nelle ore di punta`}
      className="h-2 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`h-full rounded-full ${share > HIGH ? 'bg-danger' : 'bg-accent'}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}

function Figure({ term, value, hint }: { term: string; value: string; hint: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="text-lg font-medium tabular-nums">{value}</dd>
      <dd className="text-sm text-pretty text-muted">{hint}</dd>
    </div>
  )
}

/** What the form of a new plan begins with. */
function PlanDefaultsForm({ loaded }: { loaded: PlatformSettings['plan_defaults'] }) {
  const { save, ...saving } = useSettingSave('plan_defaults', loaded)
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(PlanDefaults, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  const field = formFields({ register, formState })
  return (
    <PlatformSettingForm
      title="Limiti predefiniti"
      intro="Proposti nei nuovi piani. I piani che ci sono già non cambiano."
      saved={loaded}
      submit="Salva il limite"
      {...saving}
      unsaved={formState.isDirty}
      onSubmit={handleSubmit((value) => save(value, 'Limite salvato', () => reset(value)))}
    >
      <TextField
        label="Numero massimo di offerte"
        inputMode="numeric"
        className="md:max-w-80"
        hint="Vuoto: nessun limite."
        {...field('maxOffers', { setValueAs: numberOrNull })}
      />
    </PlatformSettingForm>
  )
}
