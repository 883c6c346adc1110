import { type ReactNode, useId } from 'react'

export type CheckOption<T extends string> = {
  value: T
  label: string
  /** A remark below the label. */
  note?: ReactNode
  /** Beside the option, outside its label. */
  action?: ReactNode
}

type CheckListProps<T extends string> = {
  label: string
  options: readonly CheckOption<T>[]
  /** The values of the chosen options. */
  value: readonly T[]
  onChange: (value: T[]) => void
}

/** A group of checkboxes. */
export function CheckList<T extends string>({
  label,
  options,
  value,
  onChange,
}: CheckListProps<T>) {
  const id = useId()
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <ul className="divide-y divide-line rounded-control border border-line-strong">
        {options.map(({ value: option, label: text, note, action }) => (
          <li key={option} className="flex items-center justify-between gap-2 pr-2">
            <label className="flex min-h-11 flex-1 cursor-pointer items-center gap-3 rounded-control px-3 py-2 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-(--c-focus)">
              <input
                type="checkbox"
                aria-label={text}
                aria-describedby={note ? `${id}-${option}` : undefined}
                className="size-4.5 shrink-0 accent-accent outline-none"
                checked={value.includes(option)}
                onChange={({ target }) =>
                  onChange(
                    options
                      .map((one) => one.value)
                      .filter((one) => (one === option ? target.checked : value.includes(one))),
                  )
                }
              />
              <span>
                <span className="block">{text}</span>
                {note ? (
                  <span id={`${id}-${option}`} className="block text-sm text-pending">
                    {note}
                  </span>
                ) : null}
              </span>
            </label>
            {action}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
