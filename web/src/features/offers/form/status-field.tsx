import { Switch } from '../../../ui/switch.tsx'
import { useOfferField } from './use-offer-field.ts'

type StatusFieldProps = {
  /** Number of offers that count towards the limit, and the limit. Includes this offer if it counts already. */
  limit: { active: number; most: number | null }
  counted: boolean
}

/** Whether the offer is published. */
export function StatusField({ limit, counted }: StatusFieldProps) {
  const { value: active, onChange } = useOfferField('active')
  const full = !counted && limit.most !== null && limit.active >= limit.most
  return (
    <Switch
      label="Offerta attiva"
      hint={
        full && active ? (
          <span className="text-pending">
            Hai già {limit.active} offerte attive su {limit.most}: disattivane una, o salva questa
            come inattiva.
          </span>
        ) : active ? (
          'I clienti la vedono nella tua pagina, nel periodo che hai scelto.'
        ) : (
          'Resta qui tra le tue: i clienti non la vedono.'
        )
      }
      checked={active}
      onChange={onChange}
    />
  )
}
