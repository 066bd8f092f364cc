import { describe, expect, it } from 'vitest';
import { createCart } from '../../../demo/merchant/cart.ts';
import { createCartCookies } from '../../../demo/node/cart-cookies.ts';

const carts = createCartCookies('a secret of the shop');
const cookieOf = (setCookie: string): string => setCookie.split(';')[0] ?? '';

describe('a cart in a cookie', () => {
  it('is read back among other cookies', () => {
    const cart = createCart();
    expect(carts.read(`theme=dark; ${cookieOf(carts.write(cart))}; x=1`)).toEqual(cart);
  });

  it('is not accessible to scripts and other sites', () => {
    expect(carts.write(createCart())).toMatch(/; HttpOnly; SameSite=Lax/);
  });

  it('is refused if it was changed, or signed with another secret', () => {
    const cart = createCart();
    const cookie = cookieOf(carts.write(cart));
    const dearer = Buffer.from(JSON.stringify({ ...cart, skus: [] })).toString('base64url');
    expect(carts.read(cookie.replace(/cart=[\w-]+/, `cart=${dearer}`))).toBeUndefined();
    expect(carts.read(cookieOf(createCartCookies('another secret').write(cart)))).toBeUndefined();
    expect(carts.read(cookie.slice(0, -1))).toBeUndefined();
  });

  it.each([undefined, null, '', 'cart=', 'cart=a.b'])('is missing in %j', (cookies) => {
    expect(carts.read(cookies)).toBeUndefined();
  });
});
