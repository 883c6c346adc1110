import { ImageField } from '../../../features/images/image-field.tsx'
import { ProductImageSearch } from '../../../features/images/product-image-search.tsx'
import type { useImageByCode } from '../../../features/images/use-image-by-code.ts'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import type { FieldErrors } from '../../../features/offers/form/offer-problems.ts'

type OfferPictureColumnProps = {
  draft: OfferDraft
  coded: ReturnType<typeof useImageByCode>
  errors: FieldErrors
  onChange: (change: Partial<OfferDraft>) => void
  onSending: (sending: boolean) => void
}

/** The product code and the picture: found by the code, uploaded, or a placeholder. */
export function OfferPictureColumn(props: OfferPictureColumnProps) {
  const { draft, coded, errors, onChange, onSending } = props
  const name = draft.name.trim()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ProductImageSearch
        code={draft.code}
        onCode={(code) => onChange({ code })}
        search={coded.search}
        onFind={coded.find}
        error={errors.code}
      />
      <ImageField
        label="Immagine"
        alt={name === '' ? 'Immagine del prodotto' : name}
        value={draft.picture}
        onChange={(picture) => {
          coded.stop()
          onChange({ picture })
        }}
        onBegin={coded.stop}
        onBusy={onSending}
        error={errors.picture}
        withPlaceholder
      />
    </div>
  )
}
