import type { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import { useAdminPharmacies } from '../use-admin-pharmacies.ts'

type Table = { id: string | null; base: string; table: string }

/** The other pharmacies with the same base and table. `id`: of this one, null for a new one. */
export function useTableSharers({ id, base, table }: Table): AdminPharmacy[] {
  const { data } = useAdminPharmacies()
  const [baseId, tableId] = [base.trim(), table.trim()]
  if (baseId === '' || tableId === '') return []
  return (data?.pharmacies ?? []).filter(
    (other) =>
      other.id !== id && other.airtable_base_id === baseId && other.airtable_table_id === tableId,
  )
}

/** What follows when several pharmacies have one table. */
export function sharedTableText(sharers: readonly AdminPharmacy[], name: string): string {
  const [first, ...others] = sharers.map((other) => `${other.name} (${other.pharmacy_id})`)
  const more =
    others.length === 0 ? '' : others.length === 1 ? ` e ${others[0]}` : ` e altre ${others.length}`
  const own = name.trim() === '' ? 'questa farmacia' : `«${name.trim()}»`
  const isSameName = sharers.some((other) => other.name.trim() === name.trim())
  const words = isSameName
    ? 'il suo codice o il suo telefono (il nome è uguale e non basta)'
    : 'il suo nome, il suo codice o il suo telefono'
  return `Questa tabella è già di ${first}${more}. Gli ordini di ${own} devono avere in PharmaWA ${words}; quelli che non nominano nessuna farmacia restano a chi li riceve già.`
}
