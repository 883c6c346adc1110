import { type Feature, hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { UserLock } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Titled } from '../page.tsx'

export type Refusal = { title: string; text: string }

/** In place of a page that the user or the pharmacy may not use. */
export function Unavailable({ icon, title, text }: Refusal & { icon: ReactNode }) {
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={icon}
        title={title}
        action={
          <Link to={paths.dashboard} className={buttonStyle({})}>
            Vai alla dashboard
          </Link>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}

export type NotLoadedProps = { error: unknown; busy: boolean; onRetry: () => void }

function NotLoaded({ busy, onRetry }: NotLoadedProps) {
  return (
    <RetryAlert busy={busy} onRetry={onRetry}>
      Errore nel recupero dei dati della farmacia
    </RetryAlert>
  )
}

type WithPharmacyProps = {
  skeleton?: ReactNode
  Failed?: ComponentType<NotLoadedProps>
  children: (pharmacy: OwnPharmacy) => ReactNode
}

/** Renders content that needs the pharmacy or the user's role, once they are loaded. */
function WithPharmacy(props: WithPharmacyProps) {
  const { skeleton = <PageSpinner />, Failed = NotLoaded, children } = props
  const { data: pharmacy, error, isFetching, refetch } = useOwnPharmacy()
  if (pharmacy) return children(pharmacy)
  if (!error) return skeleton
  return <Failed error={error} busy={isFetching} onRetry={() => void refetch()} />
}

type RequireFeatureProps = WithPharmacyProps & {
  feature: Feature
  /** Shown to a pharmacy without the feature. */
  renderRefusal: (pharmacy: OwnPharmacy) => ReactNode
}

/** A page for pharmacies with a feature. */
export function RequireFeature(props: RequireFeatureProps) {
  const { feature, renderRefusal, children, ...states } = props
  return (
    <WithPharmacy {...states}>
      {(pharmacy) => (hasFeature(pharmacy, feature) ? children : renderRefusal)(pharmacy)}
    </WithPharmacy>
  )
}

function OwnersOnly(refusal: Refusal) {
  const here = useRef<HTMLDivElement>(null)
  // It may replace content that had the focus, when the user's role has changed.
  useEffect(() => here.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={here} tabIndex={-1} className="flex flex-1 flex-col outline-none">
      <Unavailable icon={<UserLock />} {...refusal} />
    </div>
  )
}

/**
 * A page for owners of the pharmacy.
 *
 * @param refusal for users who are not: that the page is for owners, and what to do
 */
export function ownersPage(title: string, refusal: Refusal, load: () => Promise<ComponentType>) {
  const Loaded = lazy(async () => ({ default: await load() }))
  return function OwnersPage() {
    return (
      <Titled title={title}>
        <WithPharmacy>
          {({ role }) => (role === 'owner' ? <Loaded /> : <OwnersOnly {...refusal} />)}
        </WithPharmacy>
      </Titled>
    )
  }
}
