import { z } from 'zod'

/** The login form. */
export const Credentials = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'Inserisci la tua email.')
    .pipe(z.email("Controlla l'indirizzo email: non è completo.")),
  password: z.string().min(1, 'Inserisci la password.'),
})
export type Credentials = z.infer<typeof Credentials>
