import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Button } from './button.tsx'
import { TextField } from './text-field.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'adornment'> & {
  /** What the visibility button shows and hides, in Italian. */
  what?: string
}

/** Tells password managers whose password a form is about. */
export function HiddenUsername({ email }: { email: string }) {
  return <input hidden type="text" name="username" autoComplete="username" value={email} readOnly />
}

export function PasswordField({ what = 'la password', ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      required
      adornment={
        <Button
          look="quiet"
          size="square"
          className="md:size-11"
          aria-label={`${shown ? 'Nascondi' : 'Mostra'} ${what}`}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden />
        </Button>
      }
      {...props}
    />
  )
}
