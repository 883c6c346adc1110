import { DEFAULT_CATEGORY } from '@bancone/contract/assistant'
import { ProductCategory } from '@bancone/contract/product-categories'
import { useId } from 'react'
import { Field } from '../../ui/field.tsx'
import { NativeSelect } from '../../ui/native-select.tsx'

type CategorySelectProps = {
  value: ProductCategory | ''
  onChange: (category: ProductCategory | '') => void
}

export function CategorySelect({ value, onChange }: CategorySelectProps) {
  const id = useId()
  return (
    <Field id={id} label="Categoria">
      <NativeSelect
        id={id}
        label="Categoria"
        className="[&_select]:h-12! [&_select]:border-control [&_select]:text-base [&_select]:font-normal"
        value={value}
        onChange={({ target }) =>
          onChange(ProductCategory.options.find((category) => category === target.value) ?? '')
        }
      >
        <option value="">{DEFAULT_CATEGORY}</option>
        {ProductCategory.options.map((category) => (
          <option key={category} value={category}>
            {category}
          </option>
        ))}
      </NativeSelect>
    </Field>
  )
}
