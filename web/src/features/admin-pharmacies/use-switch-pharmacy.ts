import { adminMigrationPath } from '@bancone/contract/admin-pages'
import { type AdminPharmacy, switchPharmacy } from '@bancone/contract/admin-pharmacies'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError, toastNews, toastSuccess } from '../../ui/toast.ts'
import { invalidatePharmacies, setCachedPharmacy } from './use-admin-pharmacies.ts'

type Switched = Partial<Pick<AdminPharmacy, 'is_active' | 'use_supabase_orders'>>

function successText({ is_active: active, use_supabase_orders: supabase }: Switched, name: string) {
  if (active !== undefined) return active ? 'Farmacia attivata' : 'Farmacia disattivata'
  const [state, source] = supabase ? ['attivato', 'Supabase'] : ['disattivato', 'Airtable']
  return `Orders backup ${state} per ${name}. Analytics useranno ora: ${source}`
}

/**
 * Switches a pharmacy on and off, or its source of orders, which may take a run of the migration.
 * The new value shows before the server has answered.
 */
export function useSwitchPharmacy() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutateAsync } = useEndpointMutation(switchPharmacy)
  /** The requested values by pharmacy, until the server has answered. */
  const [pending, setPending] = useState<ReadonlyMap<string, Switched>>(new Map())

  /** @throws when the server refuses it */
  async function send({ id, name }: AdminPharmacy, body: Switched) {
    setPending((before) => new Map(before).set(id, body))
    try {
      const { pharmacy } = await mutateAsync({ params: { pharmacyId: id }, body })
      await setCachedPharmacy(client, pharmacy)
      void invalidatePharmacies(client)
      if (body.use_supabase_orders === false && pharmacy.use_supabase_orders) {
        toastNews(`Ritorno ad Airtable avviato per ${name}`, {
          about: id,
          description:
            'Prima le modifiche vanno in Airtable e tutto viene verificato. Fino ad allora ordini e analytics usano Supabase.',
          action: { label: 'Segui', run: () => void navigate(adminMigrationPath(id)) },
          long: true,
        })
        return
      }
      toastSuccess(
        successText(body, name),
        body.is_active === undefined ? { about: id } : { about: id, description: name },
      )
    } catch (error) {
      void invalidatePharmacies(client)
      throw error
    } finally {
      setPending((before) => new Map([...before].filter(([other]) => other !== id)))
    }
  }

  async function changeStatus(pharmacy: AdminPharmacy, active: boolean) {
    const { id } = pharmacy
    if (pending.has(id)) return
    try {
      await send(pharmacy, { is_active: active })
    } catch (error) {
      toastError('Errore durante la modifica dello stato', {
        about: id,
        description: errorMessage(error),
      })
    }
  }

  return {
    isPending: (id: string) => pending.has(id),
    /** The pharmacy with its requested values. */
    shown: (pharmacy: AdminPharmacy): AdminPharmacy => ({
      ...pharmacy,
      ...pending.get(pharmacy.id),
    }),
    changeStatus: (pharmacy: AdminPharmacy, active: boolean) => void changeStatus(pharmacy, active),
    /** @throws when the server refuses it */
    changeSource: (pharmacy: AdminPharmacy) =>
      send(pharmacy, { use_supabase_orders: !pharmacy.use_supabase_orders }),
  }
}
