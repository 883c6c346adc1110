import type { Response } from '@bancone/contract/endpoint'
import type { findMedicine } from '@bancone/contract/medicines'
import { ImageField } from '../../../features/images/image-field.tsx'
import { OtherCodeNotice } from '../../../features/images/other-code-notice.tsx'
import { ProductImageSearch } from '../../../features/images/product-image-search.tsx'
import type { useImageByCode } from '../../../features/images/use-image-by-code.ts'
import { MedicineNote } from '../../../features/offers/form/medicine-note.tsx'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import { codeOf } from '../../../features/offers/form/offer-fields.ts'
import { useOfferField } from '../../../features/offers/form/use-offer-field.ts'

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
        search={coded.search}
        onFind={coded.find}
        error={codeError}
      />
      {coded.isOfOtherCode ? (
        <OtherCodeNotice onFind={() => coded.find(code)} onKeep={coded.keep} />
      ) : null}
      {registered ? (
        <MedicineNote
          code={codeOf(code) ?? ''}
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
