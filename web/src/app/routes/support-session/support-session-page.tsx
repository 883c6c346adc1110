import { supportSessionPath } from '@bancone/contract/admin-pages'
import { formatPrice } from '@bancone/contract/money'
import { listOffers } from '@bancone/contract/offers'
import {
  getCurrentSupportSession,
  SUPPORT_SESSION_MINUTES,
  SupportReason,
  type SupportSession,
  startSupportSession,
} from '@bancone/contract/support-sessions'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { Eye, Tag } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { NavLink, useParams } from 'react-router'
import { z } from 'zod/mini'
import { stateOf } from '../../../features/offers/offer-lists.ts'
import { OfferStateWord } from '../../../features/offers/offer-state.tsx'
import {
  supportSessionRequest,
  useEndSupportSession,
  useSupportSession,
} from '../../../features/support/use-support-session.ts'
import { call } from '../../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { LinesSkeleton } from '../../../ui/skeleton.tsx'
import { PageSpinner } from '../../../ui/spinner.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SupportSessionOrders } from './support-session-orders.tsx'

/** The pages of a pharmacy as the support sees them: read only, with masked customers. */
export function SupportSessionPage({ page }: { page: 'orders' | 'offers' }) {
  const { pharmacyId = '' } = useParams()
  const { endsAt, ...query } = useSupportSession()
  const home = supportSessionPath(pharmacyId)
  return (
    <QueryStates query={query} skeleton={<PageSpinner />}>
      {({ supportSession }) =>
        supportSession?.pharmacyId === pharmacyId && endsAt !== null ? (
          <div className="-mt-3.5 flex flex-col gap-4 md:-mt-7">
            <SupportBanner supportSession={supportSession} endsAt={endsAt} />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <PageTitle>{page === 'orders' ? 'Ordini' : 'Offerte'}</PageTitle>
              <nav aria-label="Pagine della farmacia" className="flex gap-1">
                <NavLink to={home} end className={buttonStyle({ look: 'quiet' })}>
                  Ordini
                </NavLink>
                <NavLink to={`${home}/offers`} className={buttonStyle({ look: 'quiet' })}>
                  Offerte
                </NavLink>
              </nav>
            </div>
            {page === 'orders' ? (
              <SupportSessionOrders supportSessionId={supportSession.id} />
            ) : (
              <SupportSessionOffers supportSessionId={supportSession.id} />
            )}
          </div>
        ) : (
          <StartSupportForm pharmacyId={pharmacyId} />
        )
      }
    </QueryStates>
  )
}

/** The offers of the visited pharmacy. */
function SupportSessionOffers({ supportSessionId }: { supportSessionId: string }) {
  const query = useEndpoint(listOffers, supportSessionRequest(supportSessionId))
  return (
    <QueryStates
      query={query}
      skeleton={
        <LinesSkeleton shape="control" line="h-14" lines={['', '', '', '']} className="gap-2" />
      }
    >
      {({ offers, today }) =>
        offers.length === 0 ? (
          <EmptyList icon={<Tag />} title="Nessuna offerta">
            Qui compaiono le offerte della farmacia.
          </EmptyList>
        ) : (
          <ul className="flex flex-col divide-y divide-line rounded-card border border-line bg-surface">
            {offers.map((offer) => (
              <li key={offer.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
                <div className="min-w-0 flex-1 basis-48">
                  <p className="font-medium wrap-anywhere">{offer.fields.Nome_Prodotto}</p>
                  <p className="text-sm text-muted">{offer.fields.Categoria}</p>
                </div>
                <span className="tabular-nums">{formatPrice(offer.fields.Prezzo_Offerta)}</span>
                <OfferStateWord state={stateOf(offer, today)} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryStates>
  )
}

type SupportBannerProps = {
  supportSession: SupportSession
  /** Milliseconds since 1970. */
  endsAt: number
}

/** Says whose pages these are, how long they can be seen, and ends the support session. */
function SupportBanner({ supportSession, endsAt }: SupportBannerProps) {
  const end = useEndSupportSession()
  const { busy, failure, run } = useAction()
  return (
    <section
      aria-label="Visita di assistenza"
      className="sticky top-14 z-20 -mx-4 border-b border-pending-line bg-pending-soft px-4 py-1.5 text-sm text-pending lg:-mx-6 lg:px-6"
    >
      <div className="flex items-center gap-x-3">
        <Eye aria-hidden className="size-4.5 shrink-0" />
        <p className="min-w-0 flex-1 leading-snug wrap-anywhere">
          Vedi <strong className="font-medium">{supportSession.pharmacyName}</strong> in sola
          lettura
          <TimeLeft endsAt={endsAt} />
        </p>
        {/* Not 'Esci' alone: the button above it, which ends the session, is called so. */}
        <Button inactive={busy} onClick={() => run(() => end(supportSession.id))}>
          Esci dalla visita
        </Button>
      </div>
      <FailureAlert failure={failure} />
    </section>
  )
}

function TimeLeft({ endsAt }: { endsAt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span role="timer" aria-label={`Tempo rimasto: ${text}`} className="tabular-nums">
      {' · '}
      {text}
    </span>
  )
}

const Reason = z.object({ reason: SupportReason })

function reasonMessage({ code }: { code?: string | undefined }): string {
  return code === 'too_big' ? 'Al massimo 500 caratteri.' : 'Scrivi almeno 10 caratteri.'
}

/** Asks for the reason of a support session, and starts it. */
function StartSupportForm({ pharmacyId }: { pharmacyId: string }) {
  const client = useQueryClient()
  const { busy, failure, run } = useAction()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(Reason, { error: reasonMessage }),
    defaultValues: { reason: '' },
  })

  const submit = handleSubmit(async ({ reason }) => {
    await run(async () => {
      const supportSession = await call(startSupportSession, { body: { pharmacyId, reason } })
      client.setQueryData(endpointKey(getCurrentSupportSession, {}), { supportSession })
    })
  })

  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-4">
      <PageTitle>Visualizza come farmacia</PageTitle>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-pretty text-muted marker:text-muted">
        <li>Vedi gli ordini e le offerte della farmacia per {SUPPORT_SESSION_MINUTES} minuti.</li>
        <li>Non puoi cambiare nulla.</li>
        <li>Nomi, telefoni, indirizzi, testi e immagini dei clienti sono nascosti.</li>
        <li>La farmacia vede chi ha guardato, quando e perché: scrivi il motivo per lei.</li>
      </ul>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <FailureAlert failure={failure} />
        <TextField
          label="Motivo"
          autoComplete="off"
          required
          hint="Almeno 10 caratteri, senza dati di clienti."
          error={formState.errors.reason?.message}
          {...register('reason')}
        />
        <Button type="submit" look="primary" size="large" className="self-start" inactive={busy}>
          {busy ? 'Apertura in corso…' : 'Inizia la visita'}
        </Button>
      </form>
    </div>
  )
}
