import { DEFAULT_CATEGORY } from '@bancone/contract/assistant'
import { ProductCategory } from '@bancone/contract/product-categories'
import { SelectField } from '../../ui/select-field.tsx'

type CategorySelectProps = {
  value: string
  onChange: (category: string) => void
}

export function CategorySelect({ value, onChange }: CategorySelectProps) {
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
