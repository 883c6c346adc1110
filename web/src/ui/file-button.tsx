import { type ComponentProps, type ReactNode, useId } from 'react'
import { buttonStyle } from './button.tsx'
import { cn } from './class-names.ts'

type FileButtonProps = Pick<ComponentProps<'input'>, 'accept' | 'capture' | 'ref' | 'id'> & {
  /** The accessible name, regardless of other labels. */
  label: string
  icon: ReactNode
  describedBy?: string | undefined
  /** A file is required. */
  invalid?: boolean
  onFile: (file: File) => void
}

/** A file input styled as a button. */
export function FileButton(props: FileButtonProps) {
  const { label, icon, describedBy, invalid = false, onFile, ...input } = props
  const own = useId()
  const id = input.id ?? own
  return (
    <span className="relative inline-flex">
      <input
        {...input}
        id={id}
        type="file"
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        className="peer sr-only"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Allows choosing the same file again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <label
        htmlFor={id}
        className={cn(
          buttonStyle({}),
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
        )}
      >
        {icon}
        {label}
      </label>
    </span>
  )
}
