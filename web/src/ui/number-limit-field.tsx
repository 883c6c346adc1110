import { type ComponentProps, useState } from 'react'
import { NumberField } from './number-field.tsx'

type NumberLimitFieldProps = Omit<ComponentProps<typeof NumberField>, 'value' | 'onChange'> & {
  /** Null for no limit. A text only where there is `onText`. */
  value: number | string | null
  /** The number to start from when a limit is set again. */
  initial: number
  /** Label of the checkbox for no limit. */
  unlimited: string
  onChange: (value: number | null) => void
}

/** A field for a whole number, or for no limit. */
export function NumberLimitField(props: NumberLimitFieldProps) {
  const { value, initial, unlimited, onChange, ...rest } = props
  const [last, setLast] = useState(typeof value === 'number' ? value : initial)
  if (typeof value === 'number' && value !== last) setLast(value)
  return (
    <div className="flex flex-col gap-1">
      {value === null ? null : <NumberField {...rest} value={value} onChange={onChange} />}
      {value === null ? <p className="text-sm font-medium">{rest.label}</p> : null}
      <label className="flex min-h-11 cursor-pointer items-center gap-3 self-start rounded-control has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent outline-none"
          checked={value === null}
          onChange={({ target }) => onChange(target.checked ? null : last)}
        />
        {unlimited}
      </label>
    </div>
  )
}
