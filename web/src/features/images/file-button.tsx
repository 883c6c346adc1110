import { type ComponentProps, type ReactNode, useId } from 'react'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

type FileButtonProps = Pick<ComponentProps<'input'>, 'accept' | 'capture' | 'ref' | 'id'> & {
  /** Its name, whatever else is made to lead to it. */
  label: string
  icon: ReactNode
  describedBy?: string | undefined
  /** A file is wanted. */
  invalid?: boolean
  onFile: (file: File) => void
}

/** The browser's own chooser of files, dressed as a button. */
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
          // The same file can be chosen again.
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
