import { type ComponentProps, useId } from 'react'

type RadioCardsProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'id' | 'checked'> & {
  legend: string
  options: readonly { value: string; label: string; note?: string }[]
  /** The chosen value, where the props are not those of `register`. */
  chosen?: string
  error?: string | undefined
}

/** Radio buttons as cards. @param props those of `register` */
export function RadioCards({ legend, options, chosen, error, ...props }: RadioCardsProps) {
  const id = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {options.map(({ value, label, note }) => (
        <label
          key={value}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-line-strong px-3 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)"
        >
          <input
            {...props}
            type="radio"
            value={value}
            {...(chosen !== undefined && { checked: value === chosen })}
            aria-label={label}
            aria-describedby={note ? `${id}-${value}` : error ? id : undefined}
            className="mt-1 size-4 shrink-0 accent-accent outline-none"
          />
          {note ? (
            <span>
              <span className="block font-medium">{label}</span>
              <span id={`${id}-${value}`} className="block text-sm text-pretty text-muted">
                {note}
              </span>
            </span>
          ) : (
            label
          )}
        </label>
      ))}
      {error ? (
        <p id={id} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
