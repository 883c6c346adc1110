import { adminProfilePath, supportSessionPath } from '@bancone/contract/admin-pages'
import { type AdminPharmacy, getAdminPharmacy } from '@bancone/contract/admin-pharmacies'
import { paths } from '@bancone/contract/pages'
import { listSubscriptionPlans } from '@bancone/contract/subscription-plans'
import { useQueryClient } from '@tanstack/react-query'
import { Eye, Store } from 'lucide-react'
import { useEffect } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { z } from 'zod/mini'
import { hasCode } from '../../../lib/api.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { invalidatePharmacies } from '../use-admin-pharmacies.ts'
import type { PharmacyDraft } from './pharmacy-draft.ts'
import { PharmacyForm, type Reauthentication } from './pharmacy-form.tsx'

/** The query and the hash of the list that the form was opened from. */
const BackState = z.object({ list: z.string() })

const SECTIONS = 3

function PharmacyFormSkeleton() {
  return (
    <Loading text="Caricamento della farmacia in corso…" className="flex flex-col gap-4 md:gap-5">
      {Array.from({ length: SECTIONS }, (_, index) => (
        <div
          key={index}
          className="flex flex-col gap-5 rounded-card border border-line bg-surface p-4 md:p-5"
        >
          <Skeleton className="h-5 w-44" />
          <Skeleton shape="control" className="h-12 w-full" />
          <Skeleton shape="control" className="h-12 w-full" />
        </div>
      ))}
    </Loading>
  )
}

function savedNote(draft: PharmacyDraft, isNew: boolean): string {
  return isNew && draft.access === 'link'
    ? `${draft.name.trim()}: il link per scegliere la password è in arrivo via email.`
    : draft.name.trim()
}

type FormWithPlansProps = {
  pharmacy: AdminPharmacy | null
  Reauthentication: Reauthentication
}

function FormWithPlans({ pharmacy, Reauthentication }: FormWithPlansProps) {
  const plans = useEndpoint(listSubscriptionPlans, {})
  const client = useQueryClient()
  const navigate = useNavigate()
  const from = BackState.safeParse(useLocation().state).data?.list ?? ''
  const toList = () => void navigate(paths.adminPharmacies + from)
  return (
    <QueryStates
      query={plans}
      title="Errore nel caricamento dei piani di abbonamento"
      skeleton={<PharmacyFormSkeleton />}
    >
      {(data) => (
        <PharmacyForm
          pharmacy={pharmacy}
          plans={data.plans}
          Reauthentication={Reauthentication}
          onSaved={(draft) => {
            void invalidatePharmacies(client)
            toastSuccess(pharmacy === null ? 'Farmacia creata' : 'Farmacia aggiornata', {
              description: savedNote(draft, pharmacy === null),
            })
            toList()
          }}
          onClose={toList}
        />
      )}
    </QueryStates>
  )
}

function NotFound() {
  useEffect(() => toastError('Farmacia non trovata', { about: 'pharmacy' }), [])
  return <Navigate to={paths.adminPharmacies} replace />
}

type StoredPharmacyProps = Pick<FormWithPlansProps, 'Reauthentication'> & { pharmacyId: string }

function StoredPharmacy({ pharmacyId, Reauthentication }: StoredPharmacyProps) {
  const query = useEndpoint(
    getAdminPharmacy,
    { params: { pharmacyId } },
    // The form starts with what is stored now, and a refetch would not change what is in it.
    { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  )
  const { error } = query
  if (hasCode(error, 'pharmacies.not_found')) return <NotFound />
  return (
    <QueryStates
      query={query}
      title="Errore nel caricamento dei dati della farmacia"
      skeleton={<PharmacyFormSkeleton />}
    >
      {({ pharmacy }) => <FormWithPlans pharmacy={pharmacy} Reauthentication={Reauthentication} />}
    </QueryStates>
  )
}

type PharmacyFormPageProps = {
  /** The id in the path; null for a new pharmacy. */
  pharmacyId: string | null
  Reauthentication: Reauthentication
}

/** The form of a pharmacy. */
export function PharmacyFormPage({ pharmacyId, Reauthentication }: PharmacyFormPageProps) {
  const isUnknown = pharmacyId !== null && !z.uuid().safeParse(pharmacyId).success
  if (isUnknown) return <NotFound />
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <div className="grow">
          <PageTitle>{pharmacyId === null ? 'Nuova farmacia' : 'Modifica farmacia'}</PageTitle>
        </div>
        {pharmacyId === null ? null : (
          <>
            <Link to={adminProfilePath(pharmacyId)} className={buttonStyle({ look: 'secondary' })}>
              <Store aria-hidden />
              Profilo pubblico
            </Link>
            <Link
              to={supportSessionPath(pharmacyId)}
              className={buttonStyle({ look: 'secondary' })}
            >
              <Eye aria-hidden />
              Visualizza come farmacia
            </Link>
          </>
        )}
      </div>
      {pharmacyId === null ? (
        <FormWithPlans pharmacy={null} Reauthentication={Reauthentication} />
      ) : (
        <StoredPharmacy
          key={pharmacyId}
          pharmacyId={pharmacyId}
          Reauthentication={Reauthentication}
        />
      )}
    </div>
  )
}
