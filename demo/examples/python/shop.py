"""A small shop: python3 shop.py. nginx.conf serves it with the checkout under one address."""

import base64
import hashlib
import hmac
import json
import os
import secrets
import sqlite3
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WEBHOOK_SECRETS = os.environ["WEBHOOK_SECRET"].split(",")
DATABASE = os.environ.get("SHOP_DB", "shop.db")


def connect():
    """Opens the database; each thread needs a connection of its own."""
    database = sqlite3.connect(DATABASE, timeout=5)
    database.row_factory = sqlite3.Row
    return database


with connect() as tables:
    tables.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, price INTEGER NOT NULL, paid_at TEXT, note TEXT)")
    tables.execute("CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY)")


def verify(headers, body):
    """Verifies a request by the Standard Webhooks specification."""
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    for secret in WEBHOOK_SECRETS:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        for given in headers.get("webhook-signature", "").split(" "):
            if hmac.compare_digest(expected.encode(), given.encode()):
                return True
    return False


def take(database, event_id, event):
    """Takes each outcome once, however often it is sent."""
    # `serve --check` sends the type test, to see whether it is taken.
    if event["type"] == "test":
        return
    if database.execute("INSERT OR IGNORE INTO webhooks (id) VALUES (?)", (event_id,)).rowcount == 0:
        return
    data = event["data"]
    order_id, price = data["order"]["orderId"], data["order"]["amount"]["value"]
    if event["type"] == "order.paid":
        # An order that costs something else by now needs a person.
        sql = "UPDATE orders SET paid_at = datetime('now') WHERE id = ? AND price = ?"
        is_paid = database.execute(sql, (order_id, price)).rowcount == 1
        note(database, order_id, "is paid: ship it." if is_paid else "is paid at another price: ask the shopper.")
    elif event["type"] not in ("order.expired", "order.failed"):
        amount = data["money"]["amount"]["value"]
        note(database, order_id, f"{event['type']}, {amount} kobo: a person must decide.")


def note(database, order_id, text):
    """Notes what happened, for the person who looks after orders."""
    database.execute("UPDATE orders SET note = coalesce(note || ' ', '') || ? WHERE id = ?", (text, order_id))
    print(f"Order {order_id} {text}", flush=True)


class Shop(BaseHTTPRequestHandler):
    """The pages, and the two addresses that the checkout calls."""

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/":
            cart = '<h1>Your cart</h1><p>One book, ₦6,500.00</p><form method="post" action="/orders"><button>Buy</button></form>'
            self.page(cart + '<p><a href="/pay">Your order</a></p>')
        elif path == "/pay":
            tag = '<script src="/assets/checkout.js" async></script><transfer-checkout merchant-name="The Python shop"></transfer-checkout>'
            self.page(tag + '<p><a href="/">Back to the shop</a></p>')
        elif path == "/order":
            with connect() as database:
                order = self.find_order(database)
            status = "Paid. We are packing your book." if order and order["paid_at"] else "We are waiting for your payment."
            self.page(f'<h1>Your order</h1><p>{status}</p><p><a href="/pay">Your payment</a></p>')
        else:
            self.respond(404, "There is nothing here.")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/orders":
            # Freezes the order: its id stands for these goods at this price. Nobody can guess it, and only this browser has it.
            order_id = secrets.token_hex(16)
            with connect() as database:
                database.execute("INSERT INTO orders (id, price) VALUES (?, ?)", (order_id, 650_000))
            cookie = f"order={order_id}; HttpOnly; SameSite=Lax; Path=/"
            self.respond(303, "", headers={"Location": "/pay", "Set-Cookie": cookie})
        elif not verify(self.headers, body):
            self.respond(401, "The signature is wrong.")
        elif self.path == "/shop/order":
            with connect() as database:
                order = self.find_order(database)
            if order is None:
                self.json(403, {"message": "There is nothing to pay; go back to the shop."})
            else:
                self.json(200, {"orderId": order["id"], "amount": {"value": order["price"], "currency": "NGN"}})
        elif self.path == "/shop/webhook":
            with connect() as database:
                take(database, self.headers["webhook-id"], json.loads(body))
            self.respond(204, "")
        else:
            self.respond(404, "There is nothing here.")

    def find_order(self, database):
        """Returns the order of this browser's cookie, or None."""
        cookie = SimpleCookie(self.headers.get("cookie")).get("order")
        return database.execute("SELECT * FROM orders WHERE id = ?", (cookie.value if cookie else "",)).fetchone()

    def page(self, content):
        head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        self.respond(200, f"{head}<title>The Python shop</title>{content}</html>", "text/html; charset=utf-8")

    def json(self, status, value):
        self.respond(status, json.dumps(value), "application/json")

    def respond(self, status, body, content_type="text/plain", headers=None):
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Cache-Control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Shop).serve_forever()
