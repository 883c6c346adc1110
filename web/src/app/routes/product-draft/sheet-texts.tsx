import { MOST_DESCRIPTION } from '@bancone/contract/assistant'
import { type RefObject, useState } from 'react'
import { AssistantPanel } from '../../../features/assistant/assistant-panel.tsx'
import { CategorySelect } from '../../../features/assistant/category-select.tsx'
import { priceProblem, shownPrice } from '../../../features/assistant/price-text.ts'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'
import { CopyButton, CopySign } from '../../../ui/copy-button.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const MOST_NAME = 200

type SheetTextsProps = {
  texts: ProductTexts
  onChange: (change: Partial<ProductTexts>) => void
  /** A code of the assistant was taken over, or the one before was put back. */
  onCode: (code: string) => void
  nameField: RefObject<HTMLInputElement | null>
}

/** What a product is called, costs, and is: typed, or proposed by the assistant. */
export function SheetTexts({ texts, onChange, onCode, nameField }: SheetTextsProps) {
  const [leftPrice, setLeftPrice] = useState(texts.price !== '')
  const priceError = leftPrice ? priceProblem(texts.price) : null
  return (
    <>
      <TextField
        ref={nameField}
        label="Nome del prodotto"
        autoComplete="off"
        maxLength={MOST_NAME}
        value={texts.name}
        onChange={({ target }) => onChange({ name: target.value })}
        adornment={<CopySign label="Copia il nome" text={texts.name.trim()} />}
      />
      <CategorySelect value={texts.category} onChange={(category) => onChange({ category })} />
      <AssistantPanel
        texts={texts}
        onChange={onChange}
        onNameMissing={() => nameField.current?.focus()}
        onCode={onCode}
      />
      <div className="flex flex-col gap-2">
        <TextArea
          label="Descrizione"
          autoComplete="off"
          most={MOST_DESCRIPTION}
          value={texts.description}
          onChange={({ target }) => onChange({ description: target.value })}
        />
        <CopyButton label="Copia la descrizione" text={texts.description.trim()} />
      </div>
      <TextField
        label="Prezzo (€)"
        inputMode="decimal"
        autoComplete="off"
        hint="Per esempio 9,90"
        value={texts.price}
        error={priceError ?? undefined}
        onChange={({ target }) => {
          setLeftPrice(false)
          onChange({ price: target.value })
        }}
        onBlur={() => setLeftPrice(true)}
        adornment={<CopySign label="Copia il prezzo" text={shownPrice(texts.price)} />}
      />
    </>
  )
}
