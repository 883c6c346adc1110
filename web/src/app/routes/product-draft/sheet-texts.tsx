import { DEFAULT_CATEGORY, MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import { ProductCategory } from '@bancone/contract/product-categories'
import { type RefObject, useState } from 'react'
import { AssistantPanel } from '../../../features/assistant/assistant-panel.tsx'
import { priceProblem, shownPrice } from '../../../features/assistant/price-text.ts'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'
import { CopyButton, CopyIconButton } from '../../../ui/copy-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const MAX_NAME = 200

type SheetTextsProps = {
  texts: ProductTexts
  onChange: (change: Partial<ProductTexts>) => void
  /** Called when a code proposed by the assistant was accepted or undone. */
  onCode: (code: string) => void
  nameField: RefObject<HTMLInputElement | null>
}

/** Name, price and description of a product: typed, or proposed by the assistant. */
export function SheetTexts({ texts, onChange, onCode, nameField }: SheetTextsProps) {
  const [leftPrice, setLeftPrice] = useState(texts.price !== '')
  const priceError = leftPrice ? priceProblem(texts.price) : null
  return (
    <>
      <TextField
        ref={nameField}
        label="Nome del prodotto"
        autoComplete="off"
        maxLength={MAX_NAME}
        value={texts.name}
        onChange={({ target }) => onChange({ name: target.value })}
        adornment={<CopyIconButton label="Copia il nome" text={texts.name.trim()} />}
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
          maxCharacters={MAX_DESCRIPTION_LENGTH}
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
        adornment={<CopyIconButton label="Copia il prezzo" text={shownPrice(texts.price)} />}
      />
    </>
  )
}

type CategorySelectProps = {
  value: string
  onChange: (category: string) => void
}

function CategorySelect({ value, onChange }: CategorySelectProps) {
  return (
    <SelectField label="Categoria" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{DEFAULT_CATEGORY}</option>
      {ProductCategory.options.map((category) => (
        <option key={category} value={category}>
          {category}
        </option>
      ))}
    </SelectField>
  )
}
