import { dayOf, formatShortDay } from '@bancone/contract/dates'
import type { Response } from '@bancone/contract/endpoint'
import type { findMedicine, Medicine } from '@bancone/contract/medicines'
import { isVeterinary } from '@bancone/contract/minsan'
import { offerRefusal } from '@bancone/contract/offer-rules'
import { TriangleAlert } from 'lucide-react'
import { errorTexts } from '../../../lib/error-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { medicineMismatch } from './medicine-mismatch.ts'

type MedicineNoteProps = {
  /** Nine digits. */
  code: string
  found: Response<typeof findMedicine>
  /** The name in the form. */
  name: string
  onName: (name: string) => void
}

/** What the register of medicines says of the code. */
export function MedicineNote({
  code,
  found: { medicine, registerTime },
  name,
  onName,
}: MedicineNoteProps) {
  if (medicine === null && isVeterinary(code)) {
    return (
      <p role="status" className="text-sm text-pretty text-pending">
        È il codice di un medicinale veterinario: il registro AIFA non ha questi medicinali. Se
        sulla confezione c'è scritto che serve la ricetta, non pubblicarlo.
      </p>
    )
  }
  if (registerTime === null) {
    return (
      <p role="status" className="text-sm text-pretty text-pending">
        Il registro AIFA non è ancora disponibile: non sappiamo se per questo codice serve la
        ricetta.
      </p>
    )
  }
  const source = `Registro AIFA (CC BY 4.0) del ${formatShortDay(dayOf(Date.parse(registerTime)))}`
  if (medicine === null) {
    return (
      <p role="status" className="text-sm text-pretty text-pending">
        Codice non conosciuto: non è nel registro. Controllalo sulla confezione.{' '}
        <span className="text-muted">{source}.</span>
      </p>
    )
  }
  const refusal = offerRefusal(medicine.code, 'libero', medicine)
  const full = fullName(medicine)
  const mismatch = medicineMismatch(name, medicine)
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <div role="status" className="flex flex-col gap-1">
        <p className="font-medium text-pretty">
          {full}
          {medicine.supply === null ? null : ` · ${medicine.supply}`}
        </p>
        {mismatch === null ? null : (
          <p className="flex gap-1.5 text-pretty text-pending">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            Il codice è di questa confezione, ma nel nome c'è scritto «{mismatch}»: prima di
            pubblicare controlla quale dei due è giusto.
          </p>
        )}
        {refusal === null ? null : <p className="text-pretty text-danger">{errorTexts[refusal]}</p>}
        <p className="text-muted">{source}.</p>
      </div>
      {/* Stays in the page: it has the focus after the click. */}
      <Button size="small" inactive={name === full} onClick={() => onName(full)}>
        Usa nome e confezione
      </Button>
    </div>
  )
}

function fullName({ name, pack }: Medicine): string {
  return `${name} ${pack}`
}
