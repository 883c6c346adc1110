import {
  checkService,
  listServices,
  type ServiceId,
  type ServiceProblem,
  type ServiceState,
} from '@bancone/contract/services'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'

/** Longer than the server's limit of a check. */
const CHECK_TIMEOUT_MS = 25_000

const names: Record<ServiceId, string> = {
  database: 'Database',
  airtable: 'Airtable',
  mail: 'Posta elettronica',
  files: 'Archivio dei file',
  cloudinary: 'Cloudinary',
  assistant: 'Testi con IA',
  product_images: 'Immagini dei prodotti',
  identity_provider: 'Accesso con altro fornitore (OIDC)',
  medicine_register: 'Registro dei farmaci',
  push: 'Notifiche push',
  meta: 'Meta (WhatsApp)',
}

const setups: Record<ServiceState['setup'], string> = {
  configured: 'Configurato',
  local: 'Su questo computer',
  missing: 'Non configurato',
}

const problems: Record<ServiceProblem, string> = {
  timeout: 'non ha risposto in tempo',
  unreachable: 'non è raggiungibile o ha un guasto',
  refused: 'ha rifiutato le credenziali',
  malformed: 'ha dato una risposta inattesa',
}

/** The state of each outside service, with a button that checks it now. */
export function ServicesSection() {
  const query = useEndpoint(listServices, {})
  return (
    <CardSection
      title="Servizi esterni"
      intro="«Verifica ora» usa davvero il servizio, senza cambiare nulla: per i testi con IA chiede un testo di prova."
    >
      <QueryStates
        query={query}
        skeleton={
          <LinesSkeleton line="h-9" lines={['w-40', 'w-32', 'w-48', 'w-36']} className="gap-4" />
        }
      >
        {({ services }) => (
          <ul className="-my-3 flex flex-col divide-y divide-line">
            {services.map((service) => (
              <ServiceLine key={service.id} service={service} />
            ))}
          </ul>
        )}
      </QueryStates>
    </CardSection>
  )
}

/** Whether the last check failed; null when there was none. */
function isFailing({ lastSuccess, lastFailure }: ServiceState): boolean | null {
  if (lastFailure === null) return lastSuccess === null ? null : false
  return lastSuccess === null || lastFailure.at > lastSuccess
}

function ServiceLine({ service }: { service: ServiceState }) {
  const client = useQueryClient()
  const { busy, failure, run } = useAction()
  const { id, setup, lastSuccess, milliseconds, lastFailure } = service
  const name = names[id]

  function check() {
    void run(async () => {
      const request = { params: { service: id } }
      const checked = await call(checkService, request, { timeoutMs: CHECK_TIMEOUT_MS })
      client.setQueryData<{ services: ServiceState[] }>(
        endpointKey(listServices, {}),
        (before) =>
          before && {
            services: before.services.map((each) => (each.id === id ? checked.service : each)),
          },
      )
    })
  }

  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-start gap-3">
        <ServiceIcon failing={setup === 'missing' ? null : isFailing(service)} />
        <div className="min-w-0 flex-1 basis-52">
          <p className="font-medium">{name}</p>
          <div role="status" className="text-sm text-pretty text-muted">
            <p>
              {setups[setup]}
              {lastSuccess === null
                ? null
                : ` · funzionava il ${formatDateTime(lastSuccess)}${
                    milliseconds === null ? '' : ` (${milliseconds} ms)`
                  }`}
            </p>
            {lastFailure === null ? null : (
              <p className={isFailing(service) ? 'text-danger' : undefined}>
                Ultimo errore il {formatDateTime(lastFailure.at)}: {problems[lastFailure.problem]}
              </p>
            )}
          </div>
        </div>
        {setup === 'missing' ? null : (
          <Button
            aria-label={`Verifica ora: ${name}`}
            className="max-sm:ml-8"
            inactive={busy}
            onClick={check}
          >
            {busy ? 'Verifica…' : 'Verifica ora'}
          </Button>
        )}
      </div>
      <FailureAlert failure={failure} />
    </li>
  )
}

function ServiceIcon({ failing }: { failing: boolean | null }) {
  const style = 'mt-0.5 size-5 shrink-0'
  if (failing === null) {
    return <CircleDashed aria-label="Mai verificato" className={`${style} text-muted`} />
  }
  return failing ? (
    <CircleAlert aria-label="In errore" className={`${style} text-danger`} />
  ) : (
    <CircleCheck aria-label="Funziona" className={`${style} text-confirmed`} />
  )
}
