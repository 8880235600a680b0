import unittest

from api import HttpError
from guard import Guard


class GuardTest(unittest.TestCase):
    def status(self, guard, *request):
        try:
            return guard.check(*request)
        except HttpError as error:
            return error.status

    def test_changes_require_the_key(self):
        guard = Guard("secret", 100)
        self.assertIsNone(self.status(guard, "GET", "a", ""))
        self.assertIsNone(self.status(guard, "POST", "a", "Bearer secret"))
        self.assertEqual(self.status(guard, "POST", "a", "Bearer secret2"), 401)
        self.assertIsNone(self.status(Guard("", 100), "POST", "a", ""))

    def test_an_address_may_make_a_number_of_requests_in_each_minute(self):
        time = [0.0]
        guard = Guard("", 1, lambda: time[0])
        self.assertEqual([self.status(guard, "GET", address, "") for address in "aab"], [None, 429, None])
        time[0] = 60.0
        self.assertIsNone(self.status(guard, "GET", "a", ""))
