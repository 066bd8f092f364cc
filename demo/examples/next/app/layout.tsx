import type { ReactNode } from 'react';

export const metadata = { title: "Kola's Bookshop", icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
