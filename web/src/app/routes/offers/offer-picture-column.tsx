import { dayOf, formatShortDay } from '@bancone/contract/dates'
import type { Response } from '@bancone/contract/endpoint'
import { errorText } from '@bancone/contract/errors'
import type { findMedicine, Medicine } from '@bancone/contract/medicines'
import { isVeterinary } from '@bancone/contract/minsan'
import { offerRefusal } from '@bancone/contract/offer-rules'
import { TriangleAlert } from 'lucide-react'
import { ImageField } from '../../../features/images/image-field.tsx'
import { ProductImageSearch } from '../../../features/images/product-image-search.tsx'
import type { useImageByCode } from '../../../features/images/use-image-by-code.ts'
import { usableCode } from '../../../features/images/use-image-by-code.ts'
import { Button } from '../../../ui/button.tsx'
import { medicineMismatch } from './medicine-mismatch.ts'
import type { OfferDraft } from './offer-draft.ts'
import { useOfferField } from './use-offer-field.ts'

type OfferPictureColumnProps = {
  /** The name of the product. */
  name: string
  coded: ReturnType<typeof useImageByCode>
  registered: Response<typeof findMedicine> | undefined
  onChange: (change: Partial<OfferDraft>) => void
  onSending: (sending: boolean) => void
}

/** The product code and the picture: found by the code, uploaded, or a placeholder. */
export function OfferPictureColumn({
  name,
  coded,
  registered,
  onChange,
  onSending,
}: OfferPictureColumnProps) {
  const { ref: codeField, value: code, error: codeError } = useOfferField('code')
  const { ref: pictureField, value: picture, error: pictureError } = useOfferField('picture')
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ProductImageSearch
        ref={codeField}
        code={code}
        onCode={(typed) => onChange({ code: typed })}
        coded={coded}
        error={codeError}
      />
      {registered ? (
        <MedicineNote
          code={usableCode(code) ?? ''}
          found={registered}
          name={name}
          onName={(full) => onChange({ name: full })}
        />
      ) : null}
      <ImageField
        ref={pictureField}
        label="Immagine"
        alt={name.trim() || 'Immagine del prodotto'}
        value={picture}
        onChange={(chosen) => {
          coded.stop()
          onChange({ picture: chosen })
        }}
        onBegin={coded.stop}
        onBusy={onSending}
        error={pictureError}
        withPlaceholder
      />
    </div>
  )
}

type MedicineNoteProps = {
  /** Nine digits. */
  code: string
  found: Response<typeof findMedicine>
  /** The name in the form. */
  name: string
  onName: (name: string) => void
}

/** What the register of medicines says of the code. */
function MedicineNote({
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
        {refusal === null ? null : <p className="text-pretty text-danger">{errorText(refusal)}</p>}
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
